x <- as.matrix(mtcars)

test_that("a fit has the members of prcomp and more", {
  fit <- spca_solve(x, c(4, 3), scale = TRUE)
  expect_s3_class(fit, c("spcabench", "prcomp"), exact = TRUE)
  expect_equal(dim(fit$rotation), c(11, 2))
  expect_equal(dimnames(fit$rotation), list(colnames(x), c("PC1", "PC2")))
  expect_equal(unname(colSums(fit$rotation != 0)), c(4, 3))
  expect_equal(unname(colSums(fit$rotation^2)), c(1, 1))
  expect_equal(names(fit$supports$PC1), colnames(x)[fit$supports$PC1])
  expect_identical(fit$status, "converged")
  expect_lte(sum(fit$sdev^2), fit$upper_bound)
  expect_equal(fit$total_variance, 11 * 31 / 32)
})

test_that("with the solver pca the numbers are those of prcomp", {
  theirs <- prcomp(x, scale. = TRUE)
  ours <- spca_solve(x, ncomp = 11, solver = "pca", scale = TRUE, divisor = "n-1")
  expect_equal(ours$sdev, theirs$sdev)
  expect_equal(ours$center, theirs$center)
  expect_equal(ours$scale, unname(theirs$scale))
  signs <- sign(colSums(ours$rotation * theirs$rotation))
  expect_equal(sweep(ours$rotation, 2, signs, "*"), theirs$rotation)
  expect_equal(sweep(ours$x, 2, signs, "*"), theirs$x)
})

test_that("added variances never exceed those of prcomp, also if components overlap", {
  fit <- spca_solve(x, 6, ncomp = 5, scale = TRUE, deflation = "schur", divisor = "n-1")
  most <- cumsum(prcomp(x, scale. = TRUE)$sdev^2)[1:5]
  expect_true(all(cumsum(fit$sdev^2) <= most * (1 + 1e-12)))
})

test_that("explained variances are those of the covariance matrix", {
  fit <- spca_solve(x, c(3, 2), deflation = "projection", divisor = "n-1")
  by_hand <- diag(t(fit$rotation) %*% cov(x) %*% fit$rotation)
  expect_equal(fit$explained_variance, unname(by_hand))
  expect_equal(fit$sdev[1]^2, unname(by_hand[1]))
})

test_that("data, data frames, sparse data and their covariance have one answer", {
  fit <- spca_solve(x, c(4, 3), scale = TRUE, deflation = "projection")
  others <- list(
    spca_solve(mtcars, c(4, 3), scale = TRUE, deflation = "projection"),
    spca_solve(scale(x), c(4, 3), deflation = "projection"),
    spca_solve(methods::as(x, "dgCMatrix"), c(4, 3), scale = TRUE, deflation = "projection"),
    spca_solve(cor(x), c(4, 3), covariance = TRUE, deflation = "projection"),
    spca_solve(x, c(4, 3), scale = apply(x, 2, sd), deflation = "projection")
  )
  for (other in others) {
    expect_equal(other$rotation, fit$rotation, tolerance = 1e-8)
  }
})

test_that("sparse matrices of each kind are taken, and centred without being filled", {
  set.seed(1)
  sparse <- Matrix::rsparsematrix(60, 20, 0.2)
  dense <- as.matrix(sparse)
  fit <- spca_solve(dense, 4, ncomp = 2)
  for (kind in c("CsparseMatrix", "RsparseMatrix", "TsparseMatrix")) {
    other <- spca_solve(methods::as(sparse, kind), 4, ncomp = 2)
    expect_equal(other$rotation, fit$rotation, tolerance = 1e-8)
    expect_equal(other$x, fit$x, tolerance = 1e-8)
    expect_equal(other$center, fit$center)
  }
  raw <- spca_solve(dense, 4, center = FALSE)
  expect_equal(spca_solve(sparse, 4, center = FALSE)$rotation, raw$rotation, tolerance = 1e-8)
  expect_equal(raw$explained_variance, sum((dense %*% raw$rotation)^2) / 60)
  expect_equal(spca_solve(sparse, 4, center = FALSE, scale = TRUE)$scale,
               sqrt(colSums(dense^2) / 59))
  logical <- sparse != 0
  expect_equal(spca_solve(logical, 3)$rotation, spca_solve(1 * as.matrix(logical), 3)$rotation,
               tolerance = 1e-8)
})

test_that("integers are taken as numbers", {
  whole <- matrix(c(3L, 1L, 4L, 1L, 5L, 9L, 2L, 6L, 5L, 3L, 5L, 8L), 4)
  expect_identical(spca_solve(whole, 2)$rotation, spca_solve(whole + 0, 2)$rotation)
})

test_that("the same seed gives the same bytes, another one need not", {
  draw <- function(seed) spca_solve(x, 4, solver = "em", seed = seed)$rotation
  expect_identical(draw(7), draw(7))
})

test_that("options are passed on, by name or as a list", {
  fit <- spca_solve("pitprops", 3, solver = "threshold", refit = FALSE)
  expect_false(fit$options$refit)
  same <- spca_solve("pitprops", 3, solver = "threshold", options = list(refit = FALSE))
  expect_identical(same$rotation, fit$rotation)
  tuned <- spca_solve("pitprops", 4, solver = "gpower-l1")
  expect_true(tuned$tuned)
  penalty <- tuned$options[[describe("gpower-l1")$tuning$option]]
  expect_gt(penalty, 0)
  starts <- c("columns", "path")
  expect_identical(spca_solve("pitprops", 3, solver = "tpower", starts = starts)$options$starts, starts)
})

test_that("without a bound there is none", {
  fit <- spca_solve("pitprops", 3, bound = FALSE)
  expect_identical(c(fit$upper_bound, fit$gap), c(NA_real_, NA_real_))
  expect_output(print(fit), "explained variance")
})

test_that("a solver that cannot answer says why, with a warning", {
  expect_warning(fit <- spca_solve(matrix(0, 5, 3), 2, ncomp = 2), "search")
  expect_false(fit$has_answer)
  expect_equal(dim(fit$rotation), c(3, 0))
  expect_output(print(fit), fit$status)
  expect_output(print(summary(fit)), fit$status)
})

test_that("every solver answers or says why not", {
  answered <- 0
  for (solver in list_solvers()$name) {
    fit <- suppressWarnings(spca_solve("pitprops", c(3, 2), solver = solver, time_limit = 60))
    expect_true(fit$has_answer || nzchar(fit$message), info = solver)
    answered <- answered + fit$has_answer
  }
  expect_gt(answered, 30)
})

test_that("fewer components than asked for are an answer, and a warning says why", {
  expect_warning(fit <- spca_solve(x, 9, ncomp = 3, scale = TRUE),
                 "incomplete: 2 of 3 components.*a sum of at most 11")
  expect_true(fit$has_answer)
  expect_equal(dim(fit$rotation), c(11, 2))
  expect_true(is.na(fit$upper_bound))
  expect_equal(dim(fit$x), c(32, 2))
})
