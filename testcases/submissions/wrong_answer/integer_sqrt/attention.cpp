#include "attention/attention.hpp"

#include <cmath>
#include <cfloat>
#include <vector>

typedef std::vector<double> Row;

static Row softmax_of(const Row &z)
{
	double max = z[0];
	for (unsigned j = 1; j < z.size(); j++)
		if (z[j] > max)
			max = z[j];
	Row w(z.size());
	double sum = 0;
	for (unsigned j = 0; j < z.size(); j++)
		sum += w[j] = exp(z[j] - max);
	for (unsigned j = 0; j < z.size(); j++)
		w[j] /= sum;
	return w;
}

attention::ShapeLedger attention::shape_ledger(Index n, Index d_k, Index d_v)
{
	ShapeLedger l;
	l.queries = {n, d_k};
	l.keys = {n, d_k};
	l.values = {n, d_v};
	l.logits = {n, n};
	l.weights = {n, n};
	l.output = {n, d_v};
	return l;
}

attention::RowVector attention::softmax(const RowVector &logits)
{
	Row z(logits.begin(), logits.end());
	Row w = softmax_of(z);
	return RowVector::Map(w.data(), w.size());
}

attention::AttentionRow attention::attention_row(Index i, const Matrix &Q, const Matrix &K,
						 const Matrix &V, const Options &options)
{
	int n = K.rows();
	int d_k = Q.cols();
	int root = sqrt(d_k);	/* scaling factor */
	Row z(n);
	for (int j = 0; j < n; j++) {
		z[j] = 0;
		for (int c = 0; c < d_k; c++)
			z[j] += Q(i, c) * K(j, c);
		if (options.scaled)
			z[j] = z[j] / root;
		if (options.causal && j > i)
			z[j] = -INFINITY;
	}
	Row w = softmax_of(z);
	AttentionRow r;
	r.logits = RowVector::Map(z.data(), n);
	r.weights = RowVector::Map(w.data(), n);
	r.output = RowVector::Zero(V.cols());
	for (int c = 0; c < V.cols(); c++)
		for (int j = 0; j < n; j++)
			r.output(c) += w[j] * V(j, c);
	return r;
}

attention::Attention attention::attention(const Matrix &Q, const Matrix &K, const Matrix &V,
					  const Options &options)
{
	Attention a;
	a.logits.resize(Q.rows(), K.rows());
	a.weights.resize(Q.rows(), K.rows());
	a.output.resize(Q.rows(), V.cols());
	for (int i = 0; i < Q.rows(); i++) {
		AttentionRow r = attention_row(i, Q, K, V, options);
		a.logits.row(i) = r.logits;
		a.weights.row(i) = r.weights;
		a.output.row(i) = r.output;
	}
	return a;
}

attention::Attention attention::self_attention(const Matrix &X, const Projections &p,
					       const Options &options)
{
	Matrix q = X * p.W_q;
	Matrix k = X * p.W_k;
	Matrix v = X * p.W_v;
	return attention(q, k, v, options);
}

double attention::entropy(const RowVector &weights)
{
	double h = 0;
	for (int j = 0; j < weights.size(); j++)
		if (weights(j) > DBL_MIN)
			h += weights(j) * log(weights(j));
	return -h;
}

bool attention::output_shapes_match(const Attention &result, const Matrix &Q, const Matrix &K,
				    const Matrix &V)
{
	if (result.logits.rows() != Q.rows() || result.logits.cols() != K.rows())
		return false;
	if (result.weights.rows() != Q.rows() || result.weights.cols() != K.rows())
		return false;
	if (result.output.rows() != Q.rows() || result.output.cols() != V.cols())
		return false;
	return true;
}

bool attention::rows_sum_to_one(const Matrix &weights)
{
	for (int i = 0; i < weights.rows(); i++) {
		double sum = 0;
		for (int j = 0; j < weights.cols(); j++)
			sum += weights(i, j);
		if (!(fabs(sum - 1) < 1e-10))
			return false;
	}
	return true;
}

bool attention::future_weights_are_zero(const Matrix &weights)
{
	for (int i = 0; i < weights.rows(); i++)
		for (int j = i + 1; j < weights.cols(); j++)
			if (weights(i, j) != 0)
				return false;
	return true;
}

bool attention::past_outputs_unchanged(const Matrix &before, const Matrix &after,
				       Index changed_token)
{
	for (int i = 0; i < changed_token; i++)
		for (int c = 0; c < before.cols(); c++)
			if (before(i, c) != after(i, c))
				return false;
	return true;
}

bool attention::scaling_raises_entropy(const Matrix &scaled_weights, const Matrix &unscaled_weights)
{
	for (int i = 0; i < scaled_weights.rows(); i++)
		if (entropy(scaled_weights.row(i)) < entropy(unscaled_weights.row(i)) - 1e-10)
			return false;
	return true;
}
