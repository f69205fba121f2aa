#include "attention.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace attention {

namespace {
	constexpr Index block_size = 3;
	constexpr double ninf = -std::numeric_limits<double>::infinity();

	struct State {
		double maximum = ninf;
		long double sum = 0;
		std::vector<long double> mixed;
	};

	// takes in the keys [first, last) of which the logits are known
	void take_in(State& state, const RowVector& logits, const Matrix& V, Index first, Index last)
	{
		double top = state.maximum;
		for (Index j = first; j < last; ++j) top = std::max(top, logits(j));
		if (top == ninf) return;
		const long double shrink = state.maximum == ninf ? 0.0L : std::exp(static_cast<long double>(state.maximum) - top);
		state.sum *= shrink;
		for (auto& value : state.mixed) value *= shrink;
		for (Index j = first; j < last; ++j) {
			const long double p = std::exp(static_cast<long double>(logits(j)) - top);
			state.sum += p;
			for (std::size_t t = 0; t < state.mixed.size(); ++t) state.mixed[t] += p * V(j, static_cast<Index>(t));
		}
		state.maximum = top;
	}
}

RowVector softmax(const RowVector& logits)
{
	State state;
	const Matrix none(logits.size(), 0);
	take_in(state, logits, none, 0, logits.size());
	RowVector weights(logits.size());
	for (Index j = 0; j < logits.size(); ++j)
		weights(j) = static_cast<double>(std::exp(static_cast<long double>(logits(j)) - state.maximum) / state.sum);
	return weights;
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options)
{
	const Index visible = options.causal ? i + 1 : K.rows();
	AttentionRow row{RowVector::Constant(K.rows(), ninf), RowVector::Zero(K.rows()), RowVector(V.cols())};
	State state;
	state.mixed.assign(static_cast<std::size_t>(V.cols()), 0.0L);
	for (Index first = 0; first < visible; first += block_size) {
		const Index last = std::min(first + block_size, visible);
		for (Index j = first; j < last; ++j) {
			row.logits(j) = Q.row(i).dot(K.row(j));
			if (options.scaled) row.logits(j) /= std::sqrt(static_cast<double>(Q.cols()));
		}
		take_in(state, row.logits, V, first, last);
	}
	for (Index j = 0; j < visible; ++j)
		row.weights(j) = static_cast<double>(std::exp(static_cast<long double>(row.logits(j)) - state.maximum) / state.sum);
	for (Index t = 0; t < V.cols(); ++t)
		row.output(t) = static_cast<double>(state.mixed[static_cast<std::size_t>(t)] / state.sum);
	return row;
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options)
{
	Attention all{Matrix(Q.rows(), K.rows()), Matrix(Q.rows(), K.rows()), Matrix(Q.rows(), V.cols())};
	for (Index i = 0; i < Q.rows(); ++i) {
		const AttentionRow row = attention_row(i, Q, K, V, options);
		all.logits.row(i) = row.logits;
		all.weights.row(i) = row.weights;
		all.output.row(i) = row.output;
	}
	return all;
}

ShapeLedger shape_ledger(Index tokens, Index key_width, Index value_width)
{
	return ShapeLedger{
		.queries = Shape{tokens, key_width},
		.keys    = Shape{tokens, key_width},
		.values  = Shape{tokens, value_width},
		.logits  = Shape{tokens, tokens},
		.weights = Shape{tokens, tokens},
		.output  = Shape{tokens, value_width},
	};
}

Attention self_attention(const Matrix& X, const Projections& projections, const Options& options)
{
	const Matrix queries = X * projections.W_q;
	const Matrix keys    = X * projections.W_k;
	const Matrix values  = X * projections.W_v;
	return attention(queries, keys, values, options);
}

double entropy(const RowVector& weights)
{
	return std::accumulate(weights.begin(), weights.end(), 0.0, [](double h, double p) {
		return p > 0.0 ? h - p * std::log(p) : h;
	});
}

bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K, const Matrix& V)
{
	const ShapeLedger want = shape_ledger(Q.rows(), Q.cols(), V.cols());
	const Shape logits{result.logits.rows(), result.logits.cols()};
	const Shape weights{result.weights.rows(), result.weights.cols()};
	const Shape output{result.output.rows(), result.output.cols()};
	return K.rows() == Q.rows() && logits == want.logits && weights == want.weights && output == want.output;
}

bool rows_sum_to_one(const Matrix& weights)
{
	for (const auto& row : weights.rowwise()) {
		const double sum = std::accumulate(row.begin(), row.end(), 0.0);
		if (std::isnan(sum) || std::fabs(sum - 1) > 1e-10) return false;
	}
	return true;
}

bool future_weights_are_zero(const Matrix& weights)
{
	for (Index i = 0; i < weights.rows(); ++i) {
		const auto row = weights.row(i);
		if (std::any_of(row.begin() + std::min(i + 1, weights.cols()), row.end(), [](double w) { return w != 0.0; }))
			return false;
	}
	return true;
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token)
{
	for (Index i = 0; i < changed_token; ++i)
		if (!std::equal(before.row(i).begin(), before.row(i).end(), after.row(i).begin())) return false;
	return true;
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights)
{
	Index i = 0;
	while (i < scaled_weights.rows()) {
		const double gain = entropy(scaled_weights.row(i)) - entropy(unscaled_weights.row(i));
		if (gain < -1e-8) return false;
		++i;
	}
	return true;
}

} // namespace attention
