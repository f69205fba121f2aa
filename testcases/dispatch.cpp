// Exposes the contract as numbered calls. Linked into every submission, into the student's program
// at home and into models that are written against the contract; order as in contract.hpp.
#include "attention/attention.hpp"
#include "grader/channel/eigen.hpp"

template <>
struct grader::Members<attention::Options> {
  static constexpr auto list = std::tuple{&attention::Options::causal, &attention::Options::scaled};
};

template <>
struct grader::Members<attention::Shape> {
  static constexpr auto list = std::tuple{&attention::Shape::rows, &attention::Shape::cols};
};

template <>
struct grader::Members<attention::ShapeLedger> {
  using Ledger = attention::ShapeLedger;
  static constexpr auto list = std::tuple{&Ledger::queries, &Ledger::keys,    &Ledger::values,
                                          &Ledger::logits,  &Ledger::weights, &Ledger::output};
};

template <>
struct grader::Members<attention::AttentionRow> {
  using Row = attention::AttentionRow;
  static constexpr auto list = std::tuple{&Row::logits, &Row::weights, &Row::output};
};

template <>
struct grader::Members<attention::Attention> {
  using Attention = attention::Attention;
  static constexpr auto list =
      std::tuple{&Attention::logits, &Attention::weights, &Attention::output};
};

template <>
struct grader::Members<attention::Projections> {
  using Projections = attention::Projections;
  static constexpr auto list = std::tuple{&Projections::W_q, &Projections::W_k, &Projections::W_v};
};

GRADER_DISPATCH(&attention::shape_ledger, &attention::softmax, &attention::attention_row,
                &attention::attention, &attention::self_attention, &attention::entropy,
                &attention::output_shapes_match, &attention::rows_sum_to_one,
                &attention::future_weights_are_zero, &attention::past_outputs_unchanged,
                &attention::scaling_raises_entropy)
