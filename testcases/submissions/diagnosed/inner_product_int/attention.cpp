#include <cmath>
#include <limits>
#include <vector>
#include <algorithm>
#include <numeric>
#include <cassert>
#include "attention.hpp"

// I convert to std::vector first because I find Eigen confusing.

typedef std::vector<double> vec;
typedef std::vector<std::vector<double>> mat;

static mat toVec(const attention::Matrix& m) {
	mat r(m.rows(), vec(m.cols()));
	for (int i = 0; i < (int)m.rows(); i++)
		for (int j = 0; j < (int)m.cols(); j++)
			r[i][j] = m(i, j);
	return r;
}

// the number of columns is given, because an empty vector does not know it
static attention::Matrix toEigen(const mat& m, int cols) {
	attention::Matrix r((int)m.size(), cols);
	for (size_t i = 0; i < m.size(); i++) {
		assert((int)m[i].size() == cols);
		for (int j = 0; j < cols; j++) r(i, j) = m[i][j];
	}
	return r;
}

static attention::RowVector toRow(const vec& v) {
	attention::RowVector r(v.size());
	for (size_t j = 0; j < v.size(); j++) r[j] = v[j];
	return r;
}

static vec vecSoftmax(const vec& z) {
	double m = *std::max_element(z.begin(), z.end());
	vec e;
	double s = 0.0;
	for (double x : z) {
		e.push_back(exp(x - m));
		s += e.back();
	}
	for (double& x : e) x /= s;
	return e;
}

static vec vecLogits(size_t i, const mat& q, const mat& k, bool causal, bool scaled) {
	vec z;
	for (size_t j = 0; j < k.size(); j++) {
		double dot = std::inner_product(q[i].begin(), q[i].end(), k[j].begin(), 0);
		if (scaled) dot /= sqrt((double)q[i].size());
		if (causal && j > i) dot = -std::numeric_limits<double>::infinity();
		z.push_back(dot);
	}
	return z;
}

static vec mix(const vec& w, const mat& v, size_t d) {
	vec o(d, 0.0);
	for (size_t j = 0; j < w.size(); j++)
		for (size_t c = 0; c < d; c++) o[c] += w[j] * v[j][c];
	return o;
}

namespace attention {

ShapeLedger shape_ledger(Index n, Index d_k, Index d_v) {
	ShapeLedger s;
	s.queries.rows = n;  s.queries.cols = d_k;
	s.keys.rows = n;     s.keys.cols = d_k;
	s.values.rows = n;   s.values.cols = d_v;
	s.logits.rows = n;   s.logits.cols = n;
	s.weights.rows = n;  s.weights.cols = n;
	s.output.rows = n;   s.output.cols = d_v;
	return s;
}

RowVector softmax(const RowVector& logits) {
	return toRow(vecSoftmax(vec(logits.data(), logits.data() + logits.size())));
}

AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
	AttentionRow r;
	vec z = vecLogits(i, toVec(Q), toVec(K), options.causal, options.scaled);
	vec w = vecSoftmax(z);
	r.logits = toRow(z);
	r.weights = toRow(w);
	r.output = toRow(mix(w, toVec(V), V.cols()));
	return r;
}

Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options) {
	mat q = toVec(Q), k = toVec(K), v = toVec(V);
	mat z, w, o;
	for (size_t i = 0; i < q.size(); i++) {
		z.push_back(vecLogits(i, q, k, options.causal, options.scaled));
		w.push_back(vecSoftmax(z[i]));
		o.push_back(mix(w[i], v, V.cols()));
	}
	Attention a;
	a.logits = toEigen(z, K.rows());
	a.weights = toEigen(w, K.rows());
	a.output = toEigen(o, V.cols());
	return a;
}

static Matrix product(const Matrix& a, const Matrix& b) {
	Matrix c(a.rows(), b.cols());
	for (Index i = 0; i < a.rows(); i++)
		for (Index j = 0; j < b.cols(); j++) {
			double s = 0;
			for (Index t = 0; t < a.cols(); t++) s += a(i, t) * b(t, j);
			c(i, j) = s;
		}
	return c;
}

Attention self_attention(const Matrix& X, const Projections& p, const Options& options) {
	return attention(product(X, p.W_q), product(X, p.W_k), product(X, p.W_v), options);
}

double entropy(const RowVector& weights) {
	double h = 0.0;
	for (int j = 0; j < weights.size(); j++)
		if (weights[j] > 0.0) h += weights[j] * log(1.0 / weights[j]);
	return h;
}

bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K, const Matrix& V) {
	int n = Q.rows();
	if (K.rows() != n || V.rows() != n) return false;
	if (result.logits.rows() != n || result.logits.cols() != n) return false;
	if (result.weights.rows() != n || result.weights.cols() != n) return false;
	return result.output.rows() == n && result.output.cols() == V.cols();
}

bool rows_sum_to_one(const Matrix& weights) {
	for (const vec& row : toVec(weights)) {
		double s = 0;
		for (double w : row) s += w;
		if (std::isnan(s) || std::abs(s - 1.0) > 1e-9) return false;
	}
	return true;
}

bool future_weights_are_zero(const Matrix& weights) {
	mat w = toVec(weights);
	for (size_t i = 0; i < w.size(); i++)
		for (size_t j = i + 1; j < w[i].size(); j++)
			if (w[i][j] != 0.0) return false;
	return true;
}

bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token) {
	mat a = toVec(before), b = toVec(after);
	a.resize(changed_token);
	b.resize(changed_token);
	return a == b;
}

bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights) {
	mat a = toVec(scaled_weights), b = toVec(unscaled_weights);
	for (size_t i = 0; i < a.size(); i++)
		if (entropy(toRow(a[i])) < entropy(toRow(b[i]))) return false;
	return true;
}

}
