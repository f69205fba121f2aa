#include "attention.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace attention {

RowVector softmax(const RowVector& logits)
{
	const RowVector e = (logits.array() - logits.maxCoeff()).exp();
	return e / e.sum();
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options)
{
	AttentionRow row{RowVector(K.rows()), RowVector(K.rows()), RowVector(V.cols())};
	for (Index j = 0; j < K.rows(); ++j) {
		double score = Q.row(i).dot(K.row(j));
		if (options.scaled) score /= std::sqrt(static_cast<double>(Q.cols()));
		row.logits(j) = options.causal && j > i ? -std::numeric_limits<double>::infinity() : score;
	}
	row.weights = softmax(row.logits);
	for (Index t = 0; t < V.cols(); ++t) {
		float value = 0;
		for (Index j = 0; j < K.rows(); ++j) value += row.weights(j) * V(j, t);
		row.output(t) = value;
	}
	return row;
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options)
{
	Attention all{Matrix(Q.rows(), K.rows()), Matrix(Q.rows(), K.rows()), Matrix(Q.rows(), V.cols())};
	for (Index i = 0; i < Q.rows(); ++i) {
		AttentionRow row = attention_row(i, Q, K, V, options);
		all.logits.row(i) = std::move(row.logits);
		all.weights.row(i) = std::move(row.weights);
		all.output.row(i) = std::move(row.output);
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
