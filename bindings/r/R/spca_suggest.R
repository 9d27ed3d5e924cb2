spca_suggest <- function(x, k = NULL, most = 10, permutations = NULL, folds = 5,
                         deflation = NULL, center = TRUE, scale = FALSE, seed = 1,
                         time_limit = NULL, divisor = "n", missing = "error") {
  words <- list(most = whole("most", most, 1),
                permutations = permutation_count(permutations),
                folds = whole("folds", folds, 2),
                deflation = if (is.null(deflation)) "" else
                  word("deflation", deflation, "the name of a deflation"),
                seed = seed_number(seed),
                seconds = seconds("time_limit", time_limit))
  data <- read_data(x, FALSE, center, scale, divisor, missing)
  words$k <- if (is.null(k)) numeric() else ascending_cardinalities(k, data$p)
  raw <- checked(.Call(C_suggest, data$pointer, words))
  limits <- unlist(raw$parallel_analysis$limits)
  errors <- raw$cross_validation
  structure(
    list(ncomp = raw$components, k = as.integer(unlist(raw$cardinality)), why = raw$why,
         rule = raw$rule,
         eigenvalues = data.frame(eigenvalue = unlist(raw$parallel_analysis$eigenvalues),
                                  by_chance = if (is.null(limits)) NA_real_ else limits),
         errors = data.frame(ncomp = seq_along(errors$errors) - 1L,
                             error = vapply(errors$errors, number, 0),
                             error_se = vapply(errors$standard_errors, number, 0)),
         suggested = c(parallel_analysis = whole_or_na(raw$parallel_analysis$suggested),
                       cross_validation = whole_or_na(errors$suggested),
                       one_standard_error = whole_or_na(errors$one_standard_error)),
         table = suggestion_table(raw$paths), reasons = vapply(raw$paths, `[[`, "", "why"),
         rules = vapply(raw$paths, function(path) path$rule, ""),
         n = data$n, p = data$p, call = match.call()),
    class = "spcabench_suggestion"
  )
}

permutation_count <- function(permutations) {
  if (is.null(permutations)) {
    return(NULL)
  }
  accepted <- "NULL, 0 or a whole number >= 19"
  if (!is_whole(permutations) || length(permutations) != 1L ||
        (permutations != 0 && permutations < 19)) {
    refuse("permutations", permutations, accepted)
  }
  as.numeric(permutations)
}

# Returns one row for each component and cardinality.
suggestion_table <- function(paths) {
  if (length(paths) == 0L) {
    return(data.frame(component = integer(), k = integer(), value = numeric(), error = numeric(),
                      scores = numeric(), repeated = numeric(), chosen = logical()))
  }
  do.call(rbind, lapply(seq_along(paths), function(j) {
    points <- paths[[j]]$solvers[[1L]]$points
    column <- function(name) vapply(points, function(point) number(point[[name]]), 0)
    k <- as.integer(column("cardinality"))
    data.frame(component = j, k = k, value = column("value"),
               error = column("reconstruction_error"), scores = column("score_correlation"),
               repeated = column("repeat_correlation"),
               chosen = k %in% whole_or_na(paths[[j]]$chosen))
  }))
}

as.data.frame.spcabench_suggestion <- function(x, ...) x$table

print.spcabench_suggestion <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  cat("Suggested number of components: ", x$ncomp, "; ", described_size(x$n, x$p), "\n", sep = "")
  cat(x$why, "\n", sep = "")
  for (j in seq_along(x$k)) {
    cat("component ", j, ": k = ", x$k[j], ", ", x$reasons[j], "\n", sep = "")
  }
  invisible(x)
}

plot.spcabench_suggestion <- function(x, ...) {
  old <- par(mfrow = c(1, 3), mar = par("mar") + c(0, 0, 0, if ("scores" %in% x$rules) 2 else 0))
  on.exit(par(old))
  chance <- x$eigenvalues
  plot(chance$eigenvalue, type = "o", pch = 20, xlab = "component", ylab = "eigenvalue",
       ylim = range(0, unlist(chance), na.rm = TRUE), xaxt = "n", ...)
  whole_axis(seq_along(chance$eigenvalue))
  lines(chance$by_chance, lty = 2)
  legend("topright", c("data", "95 % of\npermuted\ncolumns"), lty = 1:2, bty = "n", y.intersp = 1.5)
  with(x$errors, plot(ncomp, error, type = "o", pch = 20, xlab = "number of components",
                      ylab = "error on entries left out", xaxt = "n"))
  whole_axis(x$errors$ncomp)
  abline(v = x$ncomp, lty = 3)
  if (nrow(x$table) == 0L) {
    plot.new()
    text(0.5, 0.5, paste(strwrap(x$why, 25), collapse = "\n"))
  } else {
    by_scores <- x$rules %in% "scores"
    draw_paths(x$table, "error", "error on samples left out", !by_scores)
    title(xlab = "nonzeros k (ring: suggested)")
    legend("topright", paste("component", unique(x$table$component)), lty = 1,
           col = unique(x$table$component) + 1L, bty = "n")
    if (any(by_scores)) {
      par(new = TRUE)
      shown <- x$table[by_scores[x$table$component], ]
      draw_paths(shown, "repeated", "", by_scores, lty = 2, axes = FALSE)
      axis(4)
      mtext("correlation of repeated scores (dashed)", side = 4, line = 2.5, cex = par("cex"))
    }
  }
  invisible(x)
}

# Draws a column of the table against k for each component, with a ring where k was chosen by it.
draw_paths <- function(table, column, label, has_ring, lty = 1, ...) {
  plot(range(table$k), range(table[[column]], na.rm = TRUE), type = "n", xlab = "", ylab = label, ...)
  for (j in unique(table$component)) {
    rows <- table[table$component == j, ]
    lines(rows$k, rows[[column]], type = "o", pch = 20, col = j + 1L, lty = lty)
    if (has_ring[j]) {
      points(rows$k[rows$chosen], rows[[column]][rows$chosen], col = j + 1L, cex = 2)
    }
  }
}

# Draws the axis of numbers of components, which has ticks at whole numbers only.
whole_axis <- function(numbers) {
  at <- pretty(numbers)
  axis(1, at = at[at == trunc(at)])
}
