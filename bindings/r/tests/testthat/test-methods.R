fit <- spca_solve(mtcars, c(4, 3), scale = TRUE, deflation = "projection")

test_that("predict gives the scores of the data, by name and without names", {
  by_hand <- scale(as.matrix(mtcars)) %*% fit$rotation
  expect_equal(predict(fit), by_hand)
  expect_equal(predict(fit, mtcars), by_hand)
  expect_equal(predict(fit, mtcars[3:5, 11:1]), by_hand[3:5, ])
  expect_equal(unname(predict(fit, unname(as.matrix(mtcars)))), unname(by_hand))
  expect_equal(predict(fit, methods::as(as.matrix(mtcars), "dgCMatrix")), by_hand)
  expect_null(spca_solve(mtcars, 3, retx = FALSE)$x)
})

test_that("print shows the loadings that are not zero, and no more rows than asked", {
  expect_output(print(fit), "no answer exceeds")
  shown <- capture.output(print(fit, rows = 2))
  expect_length(grep("more variables", shown), 1)
  unnamed <- spca_solve(unname(as.matrix(mtcars)), 3)
  expect_output(print(unnamed), "variable")
  expect_output(print(spca_solve(cov(mtcars), 3, covariance = TRUE)), "S of 11 variables")
})

test_that("summary adds up", {
  importance <- summary(fit)$importance
  expect_equal(importance["Nonzeros", ], c(PC1 = 4, PC2 = 3))
  expect_equal(importance["Cumulative proportion", "PC2"], sum(fit$sdev^2) / fit$total_variance)
  expect_output(print(summary(fit)), "Added variance")
})

test_that("plots are drawn, and leave the settings as they were", {
  file <- tempfile(fileext = ".pdf")
  grDevices::pdf(file)
  before <- graphics::par("mfrow", "mar")
  expect_identical(plot(fit), fit)
  plot(fit, components = 2, main = "Second", col = "grey")
  plot(spca_path("pitprops", 1:5, solver = c("tpower", "threshold")))
  # R draws no arrow for a variable without loadings, and says so.
  suppressWarnings(stats::biplot(fit))
  stats::screeplot(fit)
  expect_identical(graphics::par("mfrow", "mar"), before)
  grDevices::dev.off()
  expect_gt(file.size(file), 1000)
  unlink(file)
})

test_that("a path has a row for each solver and cardinality", {
  path <- spca_path(mtcars, c(2, 4, 8), solver = c("tpower", "threshold"), scale = TRUE,
                    resamples = 4, folds = 3)
  table <- as.data.frame(path)
  expect_equal(table$k, rep(c(2, 4, 8), 2))
  expect_true(all(table$value <= table$upper_bound * (1 + 1e-12)))
  expect_true(all(table$error > 0 & table$error < 1))
  expect_true(all(is.finite(table$stability)))
  expect_equal(path$suggested$solver, c("tpower", "threshold"))
  expect_equal(lengths(path$supports[[1]]), c(2, 4, 8))
  expect_output(print(path), "Suggested k")
  expect_named(path$suggested, c("solver", "cross_validation", "one_standard_error", "knee", "scores"))
  expect_true(all(is.finite(table$scores) & is.finite(table$repeated)))
  expect_equal(spca_path("pitprops")$table$k, c(1:6, 8, 10, 12, 13))
  alone <- spca_path("pitprops", 1:3)
  expect_true(all(is.na(alone$table$stability)))
  expect_output(print(alone), "S is given")
})

test_that("a suggestion has r, and k of each component, as the program computes them", {
  found <- spca_suggest(mtcars, k = 1:6, most = 4, permutations = 19, scale = TRUE)
  expect_length(found$k, found$ncomp)
  expect_equal(found$table$k[found$table$chosen], found$k)
  expect_equal(nrow(as.data.frame(found)), 6 * found$ncomp)
  expect_equal(found$ncomp, min(found$suggested[c("parallel_analysis", "cross_validation")]))
  expect_equal(found$eigenvalues$eigenvalue[1],
               eigen(cor(mtcars))$values[1] * (nrow(mtcars) - 1) / nrow(mtcars), tolerance = 1e-9)
  expect_equal(found$errors$ncomp[1], 0)
  expect_output(print(found), "component 1: k = ")
  expect_length(spca_solve(mtcars, found$k, scale = TRUE)$supports, found$ncomp)
  set.seed(3)
  noise <- spca_suggest(matrix(rnorm(400), 40), most = 3)
  expect_equal(noise$ncomp, 0)
  expect_length(noise$k, 0)
  expect_identical(noise$why, "no component stands out from chance")
  expect_output(print(noise), noise$why)
  expect_identical(dim(as.data.frame(noise)), c(0L, 7L))
  expect_named(as.data.frame(noise), names(as.data.frame(found)))
})

test_that("solvers are compared, the best first, with gaps to the least bound", {
  found <- compare_solvers("pitprops", 3, solvers = c("threshold", "branch-bound"))
  table <- as.data.frame(found)
  expect_identical(table$solver[1], "branch-bound")
  expect_false(is.unsorted(-table$value))
  expect_equal(table$value[1], found$upper_bound, tolerance = 1e-6)
  expect_equal(table$gap, pmax(1 - table$value / found$upper_bound, 0))
  expect_identical(names(found$fits), table$solver)
  expect_equal(table$value[2], sum(found$fits[[2]]$sdev^2))
  expect_output(print(found), "the best first.*least bound")
  expect_identical(nrow(compare_solvers("pitprops", 3)$table), 7L)
  expect_identical(nrow(compare_solvers("pitprops", c(3, 2))$table), 6L)
  several <- compare_solvers(mtcars, c(3, 2), solvers = c("tpower", "branch-price"),
                             deflation = "projection", scale = TRUE)
  expect_true(is.na(several$upper_bound))
  expect_true(all(several$table$gap <= vapply(several$fits, `[[`, 0, "gap") + 1e-12))
  equal <- compare_solvers("pitprops", c(4, 3, 3), solvers = c("tpower", "branch-price"))
  expect_lt(max(equal$table$gap), 1e-6)
  expect_equal(several$fits$tpower$rotation,
               spca_solve(mtcars, c(3, 2), solver = "tpower", deflation = "projection",
                          scale = TRUE)$rotation)
  skipped <- compare_solvers(matrix(rnorm(4000), 20), 100, solvers = c("exhaustive", "threshold"))
  expect_identical(skipped$table$solver, c("threshold", "exhaustive"))
  expect_true(is.na(skipped$table$value[2]))
})

test_that("a certificate says which problem it bounds", {
  optimum <- certify(spca_solve("pitprops", 5, solver = "branch-bound"))
  expect_true(optimum$is_optimal)
  expect_output(print(optimum), "optimal")
  below <- certify(spca_solve("pitprops", 3, solver = "threshold"))
  expect_false(below$is_optimal)
  expect_equal(c(below$value, below$upper_bound), c(2.32937, 2.47533), tolerance = 1e-5)
  expect_equal(below$proof$explained_variance, below$upper_bound, tolerance = 1e-5)
  expect_identical(certify(spca_solve("pitprops", c(3, 2)))$problem, "disjoint supports")
  overlapping <- spca_solve(mtcars, 7, ncomp = 2, scale = TRUE, deflation = "schur")
  expect_identical(certify(overlapping, mtcars)$problem, "any loadings")
  orthogonal <- spca_solve("pitprops", c(7, 6), solver = "orthogonal-ascent")
  expect_identical(certify(orthogonal)$problem, "orthogonal loadings")
})

test_that("the bound is on what was asked for, and not on the nonzeros found", {
  s <- diag(c(5, 4, 2, 2))
  s[3, 4] <- s[4, 3] <- 0.828
  fit <- spca_solve(s, c(2, 1, 1), solver = "tpower", covariance = TRUE)
  expect_equal(fit$k, c(2, 1, 1))
  expect_equal(unname(lengths(fit$supports)), c(1, 1, 1))
  asked <- certify(fit, s)
  expect_identical(asked$cardinality_source, "asked")
  expect_equal(asked$upper_bound, 11.828, tolerance = 1e-9)
  expect_false(asked$is_optimal)
  found <- certify(fit$rotation, s, covariance = TRUE)
  expect_identical(found$cardinality_source, "nonzeros")
  expect_equal(found$upper_bound, 11, tolerance = 1e-9)
  expect_output(print(found), "nonzeros, as found")
  expect_equal(certify(fit, s, k = c(1, 1, 2))$upper_bound, 11.828, tolerance = 1e-9)
  expect_error(certify(fit, s, k = c(1, 1)), "^k: ")
  expect_error(certify(fit, s, k = 0), "^k: ")
})

test_that("a fit is matched with columns by name", {
  value <- certify(fit, mtcars)$value
  expect_equal(value, sum(fit$sdev^2))
  expect_equal(certify(fit, mtcars[, 11:1])$value, value)
  expect_equal(certify(fit, unname(as.matrix(mtcars)))$value, value)
  expect_error(certify(fit, mtcars[, 1:5]), "^x: found 5 variables; accepted: the 11")
  s <- spca_solve(cor(mtcars), c(4, 3), covariance = TRUE)
  expect_equal(certify(s, cor(mtcars)[11:1, 11:1])$value, certify(s, cor(mtcars))$value)
  expect_error(certify(fit, setNames(mtcars, letters[1:11])), "^x: has no column \"mpg\"; accepted")
})

test_that("an incomplete fit is not certified as a whole", {
  x <- as.matrix(mtcars)[, 1:5]
  x[, 3] <- 1
  expect_warning(part <- spca_solve(x, c(4, 1)), "1 of 2 components")
  expect_error(certify(part, x), "^object: the answer has 1 of 2 components; accepted: a complete")
  expect_true(suppressWarnings(certify(part$rotation, x))$is_optimal)
})

test_that("loadings of others are certified: a vector, a matrix, prcomp, elasticnet, PMA", {
  v <- numeric(11)
  v[c(1, 3)] <- c(3, -4)
  certificate <- certify(v, mtcars, scale = TRUE)
  expect_equal(certificate$cardinality, 2)
  covariance <- cor(mtcars)[c(1, 3), c(1, 3)] * 31 / 32
  expect_equal(certificate$value, drop(c(.6, -.8) %*% covariance %*% c(.6, -.8)))
  for (object in list(cbind(v), list(rotation = v), list(loadings = cbind(v)), list(v = v))) {
    expect_equal(certify(object, mtcars, scale = TRUE)$value, certificate$value)
  }
})

test_that("there are solvers and data sets, with descriptions", {
  expect_true(all(c("tpower", "branch-bound") %in% list_solvers()$name))
  expect_true("pitprops" %in% list_datasets()$name)
  expect_identical(describe("threshold")$options[[1]]$name, "refit")
  expect_output(print(describe("threshold")), "refit = TRUE")
  expect_true(file.exists(describe("quickstart", "experiment")$path))
})
