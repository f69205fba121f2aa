#include "attention/attention.hpp"

#include <cmath>
#include <limits>

namespace attention {

constexpr double HUGE_NEGATIVE = 1e9;

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v)
{
	return ShapeLedger{
		.queries = Shape{n, d_k},
		.keys = Shape{n, d_k},
		.values = Shape{n, d_v},
		.logits = Shape{n, n},
		.weights = Shape{n, n},
		.output = Shape{n, d_v},
	};
}

RowVector softmax(const RowVector& logits)
{
	const double biggest = logits.maxCoeff();
	RowVector exps = RowVector::Zero(logits.size());
	double denominator = 0.0;
	for (Index j = 0; j < logits.size(); ++j) {
		exps(j) = std::exp(logits(j) - biggest);
		denominator += exps(j);
	}
	return exps / denominator;
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options)
{
	AttentionRow out;
	out.logits = Q.row(i) * K.transpose();
	if (options.scaled)
		out.logits /= std::sqrt(static_cast<double>(Q.cols()));
	if (options.causal) {
		for (Index j = 0; j < out.logits.size(); ++j) {
			if (j > i)
				out.logits(j) = HUGE_NEGATIVE;
		}
	}
	out.weights = softmax(out.logits);
	out.output = out.weights * V;
	return out;
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options)
{
	const Index n = Q.rows();
	Attention out;
	out.logits.resize(n, n);
	out.weights.resize(n, n);
	out.output.resize(n, V.cols());
	for (Index i = 0; i < n; ++i) {
		const auto [logits, weights, output] = attention_row(i, Q, K, V, options);
		out.logits.row(i) = logits;
		out.weights.row(i) = weights;
		out.output.row(i) = output;
	}
	return out;
}

Attention self_attention(const Matrix& X, const Projections& projections, const Options& options)
{
	const Matrix Q = X * projections.W_q;
	const Matrix K = X * projections.W_k;
	const Matrix V = X * projections.W_v;
	return attention(Q, K, V, options);
}

double entropy(const RowVector& weights)
{
	double nats = 0.0;
	for (const double w : weights) {
		if (w > 0.0)
			nats -= w * std::log(w);
	}
	return nats;
}

bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K, const Matrix& V)
{
	const bool logits_ok = result.logits.rows() == Q.rows() && result.logits.cols() == K.rows();
	const bool weights_ok = result.weights.rows() == Q.rows() && result.weights.cols() == K.rows();
	const bool output_ok = result.output.rows() == Q.rows() && result.output.cols() == V.cols();
	return logits_ok && weights_ok && output_ok;
}

bool rows_sum_to_one(const Matrix& weights)
{
	for (Index i = 0; i < weights.rows(); ++i) {
		const double error = std::abs(weights.row(i).sum() - 1.0);
		if (std::isnan(error) || error > 1e-9)
			return false;
	}
	return true;
}

bool future_weights_are_zero(const Matrix& weights)
{
	for (Index i = 0; i < weights.rows(); ++i) {
		for (Index j = i + 1; j < weights.cols(); ++j) {
			if (weights(i, j) != 0.0)
				return false;
		}
	}
	return true;
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token)
{
	for (Index i = 0; i < changed_token; ++i) {
		for (Index c = 0; c < before.cols(); ++c) {
			if (before(i, c) != after(i, c))
				return false;
		}
	}
	return true;
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights)
{
	for (Index i = 0; i < scaled_weights.rows(); ++i) {
		if (!(entropy(scaled_weights.row(i)) >= entropy(unscaled_weights.row(i))))
			return false;
	}
	return true;
}

}
