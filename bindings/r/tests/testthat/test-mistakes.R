x <- as.matrix(mtcars)

# Expects each call to be an error whose message begins with the argument's name and says what is
# accepted.
expect_refused <- function(name, ...) {
  for (call in eval(substitute(alist(...)))) {
    said <- tryCatch({
      eval(call, list(x = x), globalenv())
      "nothing"
    }, error = function(error) error)
    label <- paste(deparse(call), collapse = "")
    expect_s3_class(said, "error")
    expect_null(conditionCall(said), info = label)
    expect_match(conditionMessage(said), paste0("^", name), info = label)
    expect_match(conditionMessage(said), "accepted: ", info = label)
  }
}

test_that("each mistake names its argument and what is accepted", {
  expect_refused("x", spca_solve("pitprop", 2), spca_solve(1:4, 2), spca_solve(iris, 2),
                 spca_solve(matrix(letters[1:4], 2), 2), spca_solve(NULL, 2), spca_solve(x[0, ], 2),
                 spca_solve(x[1, , drop = FALSE], 2), spca_solve(c("a", "b"), 2),
                 {
                   frame <- data.frame(a = 1:4)
                   frame$b <- structure(1:4 * 5e-324, class = "integer64")
                   spca_solve(frame, 1)
                 },
                 spca_solve(structure(matrix(1:4 * 5e-324, 2), class = "integer64"), 1),
                 spca_solve(x, 2, covariance = TRUE), spca_solve(-diag(3), 1, covariance = TRUE),
                 spca_solve(methods::as(diag(3), "dgCMatrix"), 1, covariance = TRUE),
                 certify(rep(1, 11)), spca_suggest("pitprops"))
  expect_refused("k", spca_solve(x), spca_solve(x, 0), spca_solve(x, 12), spca_solve(x, 2.5),
                 spca_solve(x, "a"), spca_solve(x, NA), spca_solve(x, TRUE),
                 spca_solve(x, numeric()),
                 spca_solve(x, c(2, 3), ncomp = 3), spca_path(x, 3:2), spca_path(x, 0:2),
                 spca_path(x, 12), spca_path(x, "a"), spca_suggest(x, k = 3:2))
  expect_error(spca_solve(x), "^k: .*component; `spca_suggest` helps to choose$")
  expect_refused("k", compare_solvers(x), compare_solvers(x, 0), compare_solvers(x, c(2, 3), ncomp = 3))
  expect_refused("solvers", compare_solvers(x, 2, solvers = "tpowr"), compare_solvers(x, 2, solvers = 3),
                 compare_solvers(x, 2, solvers = character()))
  expect_refused("ncomp", spca_solve(x, 2, ncomp = 0), spca_solve(x, 2, ncomp = 12),
                 spca_solve(x, 2, ncomp = 1.5))
  expect_refused("solver", spca_solve(x, 2, solver = "tpowr"), spca_solve(x, 2, solver = 3),
                 spca_solve(x, 2, solver = c("a", "b")), spca_path(x, 2, solver = character()))
  expect_refused("options", spca_solve(x, 2, no_such = 1), spca_solve(x, 2, solver = "tpower", starts = 3),
                 spca_solve(x, 2, solver = "tpower", tolerance = NA), spca_solve(x, 2, options = 3),
                 spca_solve(x, 2, options = list(3)),
                 spca_solve(x, 2, refit = TRUE, options = list(refit = TRUE)),
                 spca_solve(x, 2, solver = "tpower", tolerance = sum), spca_path(x, 2, no_such = 1))
  expect_refused("deflation", spca_solve(x, 2, deflation = "hotel"),
                 spca_solve(x, 2, deflation = 3), spca_suggest(x, deflation = "hotelling"))
  expect_refused("seed", spca_solve(x, 2, seed = -1), spca_solve(x, 2, seed = 2^60),
                 spca_solve(x, 2, seed = 1.5), spca_solve(x, 2, seed = NULL))
  expect_refused("threads", spca_solve(x, 2, threads = 0), spca_solve(x, 2, threads = "a"))
  expect_refused("time_limit", spca_solve(x, 2, time_limit = 0), spca_solve(x, 2, time_limit = NaN))
  expect_refused("center", spca_solve(x, 2, center = "yes"), spca_solve(x, 2, center = colMeans(x)))
  expect_refused("scale", spca_solve(x, 2, scale = "n"), spca_solve(x, 2, scale = 1:3),
                 spca_solve(x, 2, scale = rep(0, 11)), spca_solve(cbind(1, x), 2, scale = TRUE),
                 spca_solve(cor(x), 2, scale = TRUE, covariance = TRUE))
  expect_refused("divisor", spca_solve(x, 2, divisor = "m"), spca_solve(x, 2, divisor = 1))
  expect_refused("covariance", spca_solve(x, 2, covariance = 1))
  expect_refused("bound", spca_solve(x, 2, bound = NA))
  expect_refused("retx", spca_solve(x, 2, retx = "no"))
  expect_refused("resamples", spca_path(x, 2, resamples = 1), spca_path(x, 2, resamples = -1))
  expect_refused("folds", spca_path(x, 2, folds = 1), spca_suggest(x, folds = 0))
  expect_refused("most", spca_suggest(x, most = 0), spca_suggest(x, most = "all"))
  expect_refused("permutations", spca_suggest(x, permutations = 5),
                 spca_suggest(x, permutations = -1), spca_suggest(x, permutations = NA))
  expect_refused("object", certify(rep(0, 11), x), certify(rep(1, 10), x),
                 certify("words", x), certify(list(a = 1), x))
  expect_refused("certify", certify(rep(1, 11), x, time = 1, limit = 2))
  expect_refused("name", describe("tpowr"), describe(3))
  expect_refused("kind", describe("tpower", "solvers"))
  fit <- spca_solve(x, 2)
  expect_refused("newdata", stats::predict(spca_solve(cor(x), 2, covariance = TRUE)))
  expect_error(predict(fit, x[, 1:10]), "^newdata: .*accepted")
  expect_error(predict(fit, unname(x)[, 1:10]), "^newdata: .*accepted")
  expect_error(predict(fit, "pitprops"), "^newdata: .*accepted")
  expect_error(plot(fit, components = 2), "^components: .*accepted")
  expect_error(spca_solve(data.frame(), 2), "^x: found 0 x 0; accepted: at least one row")
  empty <- suppressWarnings(spca_solve(matrix(0, 5, 3), 1))
  expect_error(plot(empty), "^x: has no component; accepted: a fit with an answer")
})

test_that("what is missing or infinite is named by row and column", {
  for (wrong in c(NA, NaN, Inf)) {
    dense <- x
    dense[3, 2] <- wrong
    sparse <- methods::as(x, "dgCMatrix")
    sparse[3, 2] <- wrong
    for (scale in c(FALSE, TRUE)) {
      place <- "^x: .*row 3, column 2.*; accepted: finite"
      expect_error(spca_solve(dense, 2, scale = scale), place)
      expect_error(spca_solve(sparse, 2, scale = scale), place)
    }
    expect_error(spca_solve(as.data.frame(dense), 2), "row 3, column 2")
  }
})

test_that("missing values are settled as the program does, with a warning", {
  holed <- x
  holed[3, 2] <- NA
  expect_warning(fit <- spca_solve(holed, 2, missing = "mean"), "1 missing value")
  filled <- holed
  filled[3, 2] <- mean(holed[, 2], na.rm = TRUE)
  expect_equal(fit$explained_variance, spca_solve(filled, 2)$explained_variance, tolerance = 1e-12)
  expect_warning(fit <- spca_solve(holed, 2, missing = "drop-rows"), "1 of")
  expect_equal(nrow(fit$x), nrow(x) - 1)
  expect_warning(fit <- spca_solve(holed, 2, missing = "drop-columns"), "1 of")
  expect_equal(fit$p, ncol(x) - 1)
  expect_refused("missing", spca_solve(x, 2, missing = 3))
  expect_refused("missing", spca_solve(cor(x), 2, covariance = TRUE, missing = "mean"))
})

test_that("columns of one name go by place", {
  twice <- x[, 1:4]
  colnames(twice) <- c("a", "a", "b", "c")
  expect_warning(fit <- spca_solve(twice, 2), "shared names: \"a\" .2 times.; predict")
  expect_equal(predict(fit, twice), fit$x)
  expect_error(predict(fit, twice[, 4:1]), "^newdata: .*not unique.*accepted")
})

test_that("a variable with nearly all of the variance is named", {
  year <- cbind(x, year = 1e6 * seq_len(nrow(x)))
  expect_warning(spca_solve(year, 2), "x: \"year\" has more than 99.99 % of the variance")
  expect_silent(spca_solve(year, 2, scale = TRUE))
})

test_that("a matrix that may be S is said to be taken as data", {
  expect_warning(spca_solve(cor(x), 2), "square and symmetric")
  other <- cor(x)
  rownames(other) <- rev(colnames(x))
  expect_error(spca_solve(other, 2, covariance = TRUE), "^x: row 1 .*accepted: rows and columns")
})

test_that("a file that is not here is an error that says how to get it", {
  folder <- Sys.getenv("SPCA_DATA_DIR", NA)
  Sys.setenv(SPCA_DATA_DIR = tempdir())
  on.exit(if (is.na(folder)) Sys.unsetenv("SPCA_DATA_DIR") else Sys.setenv(SPCA_DATA_DIR = folder))
  expect_error(spca_solve("kos", 5), "^x: .*spca fetch")
})

test_that("a guess is a warning, and an indefinite matrix has a way on", {
  square <- crossprod(x)
  for (given in list(square, methods::as(square, "CsparseMatrix"))) {
    expect_warning(spca_solve(given, 2, solver = "tpower"), "square and symmetric")
  }
  expect_error(spca_solve(matrix(c(1, .9, -.9, .9, 1, .9, -.9, .9, 1), 3), 2, covariance = TRUE),
               "nearPD")
})
