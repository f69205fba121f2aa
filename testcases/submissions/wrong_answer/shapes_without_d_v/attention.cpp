// Aufgabe 3 – kausale Aufmerksamkeit
// Øyvind Łukasz, Matr.-Nr. 4713

#include "attention/attention.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

// Die Zukunft bekommt −∞, damit exp(−∞) = 0 ist.
static const double MINUS_UNENDLICH = -std::numeric_limits<double>::infinity();

namespace attention
{
    // Größen: n Token, d_k Merkmale je Anfrage, d_v je Wert
    ShapeLedger shape_ledger(Index n, Index d_k, Index d_v)
    {
        ShapeLedger größen;
        größen.queries = Shape{n, d_k};
        größen.keys = Shape{n, d_k};
        größen.values = Shape{n, d_v};
        größen.logits = Shape{n, n};
        größen.weights = Shape{n, n};
        größen.output = Shape{n, d_v};
        return größen;
    }

    RowVector softmax(const RowVector& logits)
    {
        double maximum = logits(0);
        for (Index j = 1; j < logits.size(); ++j)
        {
            maximum = std::max(maximum, logits(j));
        }

        RowVector gewichte(logits.size());
        double summe = 0.0;
        for (Index j = 0; j < logits.size(); ++j)
        {
            gewichte(j) = std::exp(logits(j) - maximum);
            summe += gewichte(j);
        }
        gewichte /= summe;
        return gewichte;
    }

    AttentionRow attention_row(Index i, const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options)
    {
        AttentionRow zeile;
        zeile.logits = (K * Q.row(i).transpose()).transpose();
        if (options.scaled)
        {
            zeile.logits /= std::sqrt(static_cast<double>(Q.cols()));
        }
        if (options.causal)
        {
            for (Index j = i + 1; j < K.rows(); ++j)
            {
                zeile.logits(j) = MINUS_UNENDLICH;
            }
        }
        zeile.weights = softmax(zeile.logits);
        zeile.output = RowVector::Zero(V.cols());
        for (Index j = 0; j < V.rows(); ++j)
        {
            zeile.output += zeile.weights(j) * V.row(j);
        }
        return zeile;
    }

    Attention attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Options& options)
    {
        Attention alles;
        alles.logits = Matrix::Zero(Q.rows(), K.rows());
        alles.weights = Matrix::Zero(Q.rows(), K.rows());
        alles.output = Matrix::Zero(Q.rows(), V.cols());
        for (Index i = 0; i < Q.rows(); ++i)
        {
            AttentionRow zeile = attention_row(i, Q, K, V, options);
            alles.logits.row(i) = zeile.logits;
            alles.weights.row(i) = zeile.weights;
            alles.output.row(i) = zeile.output;
        }
        return alles;
    }

    Attention self_attention(const Matrix& X, const Projections& projections, const Options& options)
    {
        return attention(X * projections.W_q, X * projections.W_k, X * projections.W_v, options);
    }

    double entropy(const RowVector& weights)
    {
        double h = 0.0;
        for (Index j = 0; j < weights.size(); ++j)
        {
            const double w = weights(j);
            h += (w > 0.0) ? -w * std::log(w) : 0.0;
        }
        return h;
    }

    bool output_shapes_match(const Attention& result, const Matrix& Q, const Matrix& K, const Matrix& V)
    {
        return result.logits.rows() == Q.rows() && result.logits.cols() == K.rows()
            && result.weights.rows() == Q.rows() && result.weights.cols() == K.rows()
            && result.output.rows() == V.rows();
    }

    bool rows_sum_to_one(const Matrix& weights)
    {
        for (Index i = 0; i < weights.rows(); ++i)
        {
            if (!(std::abs(weights.row(i).sum() - 1.0) <= 1e-6))
            {
                return false;
            }
        }
        return true;
    }

    bool future_weights_are_zero(const Matrix& weights)
    {
        for (Index i = 0; i < weights.rows(); ++i)
        {
            for (Index j = i + 1; j < weights.cols(); ++j)
            {
                if (!(std::abs(weights(i, j)) <= 1e-6))
                {
                    return false;
                }
            }
        }
        return true;
    }

    bool past_outputs_unchanged(const Matrix& before, const Matrix& after, Index changed_token)
    {
        for (Index i = 0; i < changed_token; ++i)
        {
            for (Index c = 0; c < before.cols(); ++c)
            {
                if (!(std::abs(before(i, c) - after(i, c)) <= 1e-6))
                {
                    return false;
                }
            }
        }
        return true;
    }

    bool scaling_raises_entropy(const Matrix& scaled_weights, const Matrix& unscaled_weights)
    {
        for (Index i = 0; i < scaled_weights.rows(); ++i)
        {
            if (!(entropy(scaled_weights.row(i)) >= entropy(unscaled_weights.row(i)) - 1e-6))
            {
                return false;
            }
        }
        return true;
    }
}
