compare_solvers <- function(x, k = NULL, solvers = NULL, ncomp = NULL, deflation = NULL, seed = 1,
                            time_limit = 10, covariance = FALSE, center = TRUE, scale = FALSE,
                            divisor = "n", missing = "error") {
  sizes <- cardinality(k)
  if (length(sizes) == 0L) {
    refuse("k", k, paste("a whole number >= 1, or one for each component;",
                         "`spca_suggest` helps to choose"))
  }
  count <- if (is.null(ncomp)) length(sizes) else
    whole("ncomp", ncomp, 1, "NULL or a whole number >= 1")
  if (is.null(solvers)) {
    solvers <- checked(.Call(C_compared_solvers, as.numeric(count)))
  }
  if (!is.character(solvers) || length(solvers) < 1L || anyNA(solvers)) {
    refuse("solvers", solvers, "names of solvers; see list_solvers()")
  }
  deflation <- word("deflation", if (is.null(deflation)) "" else deflation, "the name of a deflation")
  words <- list(k = sizes, ncomp = count, seed = seed_number(seed), threads = 1,
                seconds = seconds("time_limit", time_limit), bound = TRUE, options = list())
  data <- read_data(x, covariance, center, scale, divisor, missing)
  call <- match.call()
  all <- list_solvers()
  fits <- lapply(solvers, function(solver) {
    finds_all <- isTRUE(all$multiple_components[match(solver, all$name)])
    one <- list(solver = solver, deflation = if (finds_all) "" else deflation)
    raw <- .Call(C_solve, data$pointer, c(words, one))
    if (inherits(raw, "spcabench_refusal")) {
      raw[1L] <- sub("^solver:", "solvers:", raw)  # the argument's name here
    }
    fit <- answer(checked(raw), data)
    fit$call <- call
    fit
  })
  names(fits) <- solvers
  value <- vapply(fits, function(fit) number(fit$metrics$projected_variance), 0)
  # Values that differ in their last digits alone stay in the order of `solvers`.
  order <- order(-signif(value, 9L))
  fits <- fits[order]
  value <- unname(value[order])
  bounds <- vapply(fits, function(fit) number(fit$upper_bound), 0, USE.NAMES = FALSE)
  bound <- if (count == 1 && any(is.finite(bounds))) min(bounds, na.rm = TRUE) else NA_real_
  least <- least_bounds(fits, bounds)
  gaps <- (least - value) / least
  gaps[which(gaps <= rounding)] <- 0
  table <- data.frame(
    solver = names(fits),
    status = vapply(fits, function(fit) fit$status, "", USE.NAMES = FALSE),
    value = value, upper_bound = bounds, gap = gaps,
    nonzeros = vapply(fits, function(fit) paste(lengths(fit$supports), collapse = ", "), "",
                      USE.NAMES = FALSE),
    seconds = vapply(fits, function(fit) fit$seconds[["solving"]], 0, USE.NAMES = FALSE),
    stringsAsFactors = FALSE
  )
  structure(list(table = table, fits = fits, upper_bound = bound, n = if (data$n > 0) data$n,
                 p = data$p, call = call),
            class = "spcabench_comparison")
}

# For each answer, the least bound of any solver that holds for it. A bound on answers of a kind holds for
# those of a special kind, too.
least_bounds <- function(fits, bounds) {
  kinds <- vapply(fits, speciality, 0, USE.NAMES = FALSE)
  has_answer <- lengths(lapply(fits, function(fit) fit$supports)) > 0L
  vapply(seq_along(fits), function(i) {
    # An answer without a cardinality has only its own bound.
    holds <- has_answer & kinds <= kinds[i] & !is.null(fits[[i]]$k)
    holds[i] <- TRUE
    some <- bounds[holds & is.finite(bounds)]
    if (length(some)) min(some) else NA_real_
  }, 0)
}

# 0 for any loadings, 1 for orthonormal ones, 2 for disjoint supports, 3 for one component.
speciality <- function(fit) {
  supports <- fit$supports
  if (length(supports) == 1L) {
    return(3)
  }
  if (length(supports) == 0L || anyDuplicated(unlist(supports)) == 0L) {
    return(2)
  }
  apart <- abs(crossprod(unclass(fit$rotation)) - diag(ncol(fit$rotation)))
  # The tolerance is kOrthogonalTolerance of spca/solving/feasibility.h.
  if (max(apart) <= 1e-12) 1 else 0
}

# The largest gap between one value and the same value, computed in another order.
rounding <- 1e-12

as.data.frame.spcabench_comparison <- function(x, ...) x$table

# Draws a point for the value of each solver that has an answer, and the bounds.
plot.spcabench_comparison <- function(x, ...) {
  table <- x$table[is.finite(x$table$value), ]
  if (nrow(table) == 0L) {
    stop("x: no solver has an answer; accepted: a comparison with an answer", call. = FALSE)
  }
  bounds <- if (is.finite(x$upper_bound)) rep(x$upper_bound, nrow(table)) else table$upper_bound
  places <- rev(seq_len(nrow(table)))
  old <- par(mar = c(4, 1.5 + 0.6 * max(nchar(table$solver)), 3, 1))
  on.exit(par(old))
  plot(table$value, places, pch = 19, col = "steelblue", yaxt = "n", ylab = "",
       xlab = "explained variance", xlim = range(table$value, bounds, na.rm = TRUE),
       ylim = c(0.5, nrow(table) + 0.5), ...)
  axis(2, at = places, labels = table$solver, las = 1, tick = FALSE)
  points(bounds, places, pch = "|")
  legend("top", c("explained variance", "upper bound"), pch = c(19, 124),
         col = c("steelblue", "black"), horiz = TRUE, bty = "n", inset = c(0, -0.12), xpd = TRUE)
  invisible(x)
}

print.spcabench_comparison <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  cat("Comparison of solvers, the best first; ", described_size(x$n, x$p), "\n", sep = "")
  print(x$table, digits = digits, row.names = FALSE)
  if (!is.na(x$upper_bound)) {
    cat("gaps are to the least bound, ", format(x$upper_bound, digits = digits), "\n", sep = "")
  }
  invisible(x)
}
