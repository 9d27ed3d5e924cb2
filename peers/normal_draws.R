# Returns n draws of a normal of mean 0 and covariance S, n x p, as mvrnorm() of the R package MASS
# makes them: z D^(1/2) V' with S = V D V' and z = rnorm(n p), n x p, after set.seed(). The draws
# depend on the signs of the columns of V, which differ from one LAPACK to another. So the signs are
# an argument: one + or - for each column, the sign of its loading of largest size.
normal_draws <- function(s, n, seed, signs) {
  p <- nrow(s)
  signs <- strsplit(signs, "")[[1]]
  if (length(signs) != p || !all(signs %in% c("+", "-"))) {
    stop("found ", length(signs), " signs; accepted: one + or - for each of ", p, " variables")
  }
  s <- (s + t(s)) / 2
  set.seed(seed, "Mersenne-Twister", "Inversion")
  z <- matrix(rnorm(n * p), n)
  spectrum <- eigen(s, symmetric = TRUE)
  largest <- apply(spectrum$vectors, 2, function(v) v[which.max(abs(v))])
  v <- sweep(spectrum$vectors, 2, sign(largest) * ifelse(signs == "+", 1, -1), "*")
  z %*% (sqrt(pmax(spectrum$values, 0)) * t(v))
}
