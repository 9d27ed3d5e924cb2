spca_path <- function(x, k = NULL, solver = "search", covariance = FALSE, center = TRUE, scale = FALSE,
                      seed = 1, time_limit = NULL, ..., divisor = "n", missing = "error",
                      resamples = 20, folds = 5, options = list()) {
  if (!is.character(solver) || length(solver) < 1L || anyNA(solver)) {
    refuse("solver", solver, "names of solvers; see list_solvers()")
  }
  counts <- list(resamples = resamples, folds = folds)
  for (name in names(counts)) {
    counts[[name]] <- whole(name, counts[[name]], 0, "0 or a whole number >= 2")
    if (counts[[name]] == 1) {
      refuse(name, counts[[name]], "0 or a whole number >= 2")
    }
  }
  words <- c(list(
    solver = solver,
    seed = seed_number(seed),
    seconds = seconds("time_limit", time_limit),
    options = solver_options(list(...), options)
  ), counts)
  data <- read_data(x, covariance, center, scale, divisor, missing)
  words$k <- if (is.null(k)) numeric() else ascending_cardinalities(k, data$p)
  raw <- checked(.Call(C_path, data$pointer, words))
  bounds <- vapply(raw$bounds, function(bound) number(bound$upper_bound), 0)
  table <- do.call(rbind, lapply(raw$solvers, path_rows, bounds = bounds))
  suggested <- do.call(rbind, lapply(raw$solvers, function(one) {
    data.frame(solver = one$solver,
               cross_validation = whole_or_na(one$suggested$cross_validation),
               one_standard_error = whole_or_na(one$suggested$one_standard_error),
               knee = whole_or_na(one$suggested$knee),
               scores = whole_or_na(one$suggested$scores))
  }))
  structure(
    list(table = table, suggested = suggested,
         supports = lapply(raw$solvers, function(one) {
           lapply(one$points, function(point) point$indices + 1L)
         }),
         largest_eigenvalue = number(raw$lambda_1), total_variance = raw$trace,
         without_stability = raw$without_stability,
         without_cross_validation = raw$without_cross_validation,
         n = if (data$n > 0) data$n, p = data$p, call = match.call()),
    class = "spcabench_path"
  )
}

ascending_cardinalities <- function(k, p) {
  if (!is_whole(k) || k[1L] < 1 || any(diff(k) <= 0) || any(k > p)) {
    refuse("k", k, paste("ascending whole numbers from 1 to p =", p))
  }
  as.numeric(k)
}

whole_or_na <- function(value) if (is.null(value)) NA_integer_ else as.integer(value)

path_rows <- function(one, bounds) {
  column <- function(name) vapply(one$points, function(point) number(point[[name]]), 0)
  data.frame(
    solver = one$solver,
    k = as.integer(column("cardinality")),
    value = column("value"),
    upper_bound = bounds,
    gap = column("gap"),
    nonzeros = as.integer(column("nonzeros")),
    stability = column("stability"),
    error = column("reconstruction_error"),
    error_se = column("reconstruction_standard_error"),
    scores = column("score_correlation"),
    scores_se = column("score_correlation_standard_error"),
    repeated = column("repeat_correlation"),
    repeated_se = column("repeat_correlation_standard_error"),
    status = vapply(one$points, function(point) point$status, ""),
    stringsAsFactors = FALSE
  )
}

as.data.frame.spcabench_path <- function(x, ...) x$table

print.spcabench_path <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  cat("One component of each cardinality; ", described_size(x$n, x$p), "; largest eigenvalue ",
      format(x$largest_eigenvalue, digits = digits), "\n", sep = "")
  shown <- setdiff(names(x$table), c("scores_se", "repeated_se"))  # as the command's table
  print(x$table[shown], digits = digits, row.names = FALSE)
  cat("\nSuggested k:\n")
  print(x$suggested, row.names = FALSE)
  for (why in unique(c(x$without_stability, x$without_cross_validation))) {
    if (nzchar(why)) cat("Some quantities were not measured: ", why, "\n", sep = "")
  }
  invisible(x)
}

plot.spcabench_path <- function(x, xlab = "nonzeros k", ylab = "explained variance",
                                col = NULL, ...) {
  solvers <- unique(x$table$solver)
  if (is.null(col)) {
    col <- seq_along(solvers) + 1L
  }
  col <- rep(col, length.out = length(solvers))
  bounds <- x$table[x$table$solver == solvers[1L], ]
  plot(bounds$k, bounds$upper_bound, type = "l", lty = 2, xlab = xlab, ylab = ylab,
       ylim = range(0, x$table$value, x$table$upper_bound, na.rm = TRUE), ...)
  for (i in seq_along(solvers)) {
    rows <- x$table[x$table$solver == solvers[i], ]
    lines(rows$k, rows$value, type = "o", pch = 20, col = col[i])
    knee <- x$suggested$knee[i]
    points(knee, rows$value[match(knee, rows$k)], col = col[i], cex = 2)
  }
  count <- length(solvers)
  legend("bottomright", legend = c("upper bound", solvers, "knee"), lty = c(2, rep(1, count), NA),
         pch = c(NA, rep(20, count), 1), col = c(1, col, 1), bty = "n")
  invisible(x)
}
