spca_solve <- function(x, k = NULL, ncomp = NULL, solver = "search", covariance = FALSE,
                       center = TRUE, scale = FALSE, deflation = NULL, seed = 1,
                       time_limit = NULL, ..., divisor = "n", missing = "error", threads = 1,
                       bound = TRUE, retx = TRUE, options = list()) {
  words <- list(
    solver = word("solver", solver, "the name of a solver; see list_solvers()"),
    k = cardinality(k),
    ncomp = if (!is.null(ncomp)) whole("ncomp", ncomp, 1, "NULL or a whole number >= 1"),
    deflation = word("deflation", if (is.null(deflation)) "" else deflation,
                     "the name of a deflation"),
    seed = seed_number(seed),
    threads = thread_count(threads),
    seconds = seconds("time_limit", time_limit),
    bound = flag("bound", bound),
    options = solver_options(list(...), options)
  )
  retx <- flag("retx", retx)
  data <- read_data(x, covariance, center, scale, divisor, missing)
  raw <- checked(.Call(C_solve, data$pointer, words))
  fit <- answer(raw, data)
  if (!fit$has_answer) {
    warning(solver, ": ", fit$status, if (nzchar(fit$message)) ": ", fit$message, call. = FALSE)
  }
  asked <- if (is.null(words$ncomp)) max(length(words$k), 1L) else words$ncomp
  if (fit$has_answer && ncol(fit$rotation) < asked) {
    warning(solver, ": ", fit$status, ": ", fit$message, call. = FALSE)
  }
  if (fit$has_answer && retx && !is.null(data$matrix)) {
    fit$x <- scores(data$matrix, fit$rotation, fit$center, fit$scale)
  }
  fit$call <- match.call()
  fit
}

# Returns the core's answer as an object. Members that prcomp() has too take its names; most others
# take the program's.
answer <- function(raw, data) {
  found <- raw$components
  rotation <- matrix(0, data$p, length(found))
  for (j in seq_along(found)) {
    rotation[found[[j]]$indices + 1L, j] <- found[[j]]$values
  }
  labels <- if (length(data$names) > 0L) data$names
  dimnames(rotation) <- list(labels, if (length(found) > 0L) paste0("PC", seq_along(found)))
  supports <- lapply(found, function(one) {
    variables <- one$indices + 1L
    if (!is.null(labels)) names(variables) <- labels[variables]
    variables
  })
  names(supports) <- colnames(rotation)
  variance <- vapply(found, function(one) one$explained_variance, 0)
  has_answer <- length(raw$metrics) > 0L
  sums <- if (has_answer) checked(.Call(C_projected, data$pointer, rotation)) else numeric()
  structure(
    list(
      sdev = sqrt(pmax(diff(c(0, sums)), 0)),
      rotation = rotation,
      center = data$center,
      scale = data$scale,
      supports = supports,
      explained_variance = variance,
      total_variance = data$total_variance,
      upper_bound = number(raw$upper_bound),
      gap = number(raw$gap),
      solver = raw$solver,
      options = raw$options,
      status = raw$status,
      message = raw$message,
      has_answer = has_answer,
      k = if (!raw$unconstrained) as.numeric(raw$cardinality_asked),
      ncomp = raw$components_asked,
      metrics = raw$metrics,
      n = if (data$n > 0) data$n,
      p = data$p,
      seed = raw$seed,
      seconds = c(reading = number(raw$reading_seconds), solving = number(raw$solve_seconds),
                  checking = number(raw$check_seconds)),
      tuned = raw$tuned,
      cardinality_missed = raw$cardinality_missed,
      truncated = raw$truncated,
      facts = raw$facts,
      instance = raw$instance,
      notes = as.character(raw$notes),
      covariance = data$covariance,
      centered = data$centered,
      divisor = data$divisor,
      dataset = data$dataset
    ),
    class = c("spcabench", "prcomp")
  )
}

# Returns the number; NA if it was not measured.
number <- function(value) {
  if (is.null(value) || is.nan(value)) NA_real_ else as.numeric(value)
}

percent <- function(share) {
  if (is.na(share)) "unknown" else paste0(format(100 * share, digits = 3), " %")
}

described_size <- function(n, p) {
  if (is.null(n)) paste0("S of ", p, " variables") else paste0(n, " x ", p, " data")
}

print.spcabench <- function(x, digits = max(3L, getOption("digits") - 3L), rows = 30L, ...) {
  cat("Sparse principal components by ", x$solver, ": ", x$status,
      if (nzchar(x$message)) ": ", x$message, "\n", sep = "")
  if (!x$has_answer) {
    return(invisible(x))
  }
  value <- sum(x$sdev^2)
  cat(described_size(x$n, x$p), "; nonzeros: ", paste(lengths(x$supports), collapse = ", "), "\n",
      "explained variance ", format(value, digits = digits), " of ",
      format(x$total_variance, digits = digits), " (", percent(value / x$total_variance), ")",
      sep = "")
  if (!is.na(x$upper_bound)) {
    cat("; no answer exceeds ", format(x$upper_bound, digits = digits), " (gap ",
        percent(x$gap), ")", sep = "")
  }
  cat("\n\nLoadings:\n")
  used <- which(rowSums(x$rotation != 0) > 0)
  shown <- used[seq_len(min(length(used), rows))]
  table <- x$rotation[shown, , drop = FALSE]
  if (is.null(rownames(table))) {
    rownames(table) <- paste("variable", shown)
  }
  text <- format(round(table, digits))
  text[table == 0] <- ""
  print(noquote(text), right = TRUE)
  if (length(used) > length(shown)) {
    cat("and ", length(used) - length(shown), " more variables\n", sep = "")
  }
  print_notes(x$notes)
  invisible(x)
}

summary.spcabench <- function(object, ...) {
  factor <- prcomp_factor(object)
  added <- object$sdev^2
  importance <- rbind(
    "Nonzeros" = lengths(object$supports),
    "Explained variance" = factor * object$explained_variance,
    "Added variance" = factor * added,
    "Proportion of variance" = added / object$total_variance,
    "Cumulative proportion" = cumsum(added) / object$total_variance
  )
  colnames(importance) <- colnames(object$rotation)
  structure(
    c(unclass(object)[c("solver", "status", "message", "n", "p", "gap", "seconds", "options",
                        "notes")],
      list(divisor = if (factor > 1) "n-1" else object$divisor,
           total_variance = factor * object$total_variance,
           upper_bound = factor * object$upper_bound, importance = importance)),
    class = "summary.spcabench"
  )
}

# Returns the factor that makes variances those of prcomp(), which divides by n - 1. It is 1 unless
# the caller's data were divided by n: the divisor of a named data set is not known here.
prcomp_factor <- function(object) {
  is_by_n <- object$divisor == "n" && is.null(object$dataset) && !object$covariance
  if (is_by_n && !is.null(object$n) && object$n > 1) object$n / (object$n - 1) else 1
}

print_notes <- function(notes) {
  for (note in notes) {
    cat(strwrap(paste("note:", note), exdent = 2L), sep = "\n")
  }
}

print.summary.spcabench <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  cat("Sparse principal components by ", x$solver, ": ", x$status,
      if (nzchar(x$message)) ": ", x$message, "\n",
      described_size(x$n, x$p), "; total variance ", format(x$total_variance, digits = digits),
      if (x$divisor == "n-1") " (n - 1, as in prcomp)", "; ", format(x$seconds[["solving"]], digits = 2), " s\n\n", sep = "")
  if (ncol(x$importance) > 0L) {
    print(x$importance, digits = digits)
  }
  if (!is.na(x$upper_bound)) {
    cat("\nNo answer with as many nonzeros explains more than ",
        format(x$upper_bound, digits = digits), " (gap ", percent(x$gap), ").\n", sep = "")
  }
  print_notes(x$notes)
  invisible(x)
}

# Returns the data with the columns of the fit, in their order: by name if both have names. The rows
# of a covariance matrix are those of its columns. `argument` names the data in messages.
columns_of_fit <- function(fit, data, argument, covariance = FALSE) {
  names <- rownames(fit$rotation)
  given <- colnames(data)
  if (is.null(names) || is.null(given) || identical(as.character(given), names)) {
    return(data)
  }
  if (anyDuplicated(names) || anyDuplicated(given)) {
    # Names that are not unique cannot select: the columns must be those of the fit.
    stop(argument, ": names of columns are not unique and not those of the fit in their order; ",
         "accepted: the columns of the fit", call. = FALSE)
  }
  absent <- setdiff(names, given)
  if (length(absent) > 0L) {
    stop(argument, ": has no column \"", absent[1L], "\"; accepted: the columns of the fit",
         call. = FALSE)
  }
  places <- match(names, given)
  if (covariance) data[places, places, drop = FALSE] else data[, places, drop = FALSE]
}

predict.spcabench <- function(object, newdata, ...) {
  if (missing(newdata)) {
    if (is.null(object$x)) {
      stop("newdata: missing; accepted: data as spca_solve takes them (the fit has no scores)",
           call. = FALSE)
    }
    return(object$x)
  }
  if (is.character(newdata)) {
    refuse("newdata", newdata, "a numeric matrix or data frame, or a dgCMatrix")
  }
  newdata <- columns_of_fit(object, newdata, "newdata")
  if (!identical(as.numeric(NCOL(newdata)), as.numeric(object$p))) {
    refuse("newdata", dim(newdata), paste("data with", object$p, "columns"))
  }
  newdata <- tryCatch(as_numbers(newdata), error = function(error) {
    stop(sub("^x:", "newdata:", conditionMessage(error)), call. = FALSE)
  })
  scores(newdata, object$rotation, object$center, object$scale)
}

variable_names <- function(support) {
  if (is.null(names(support))) paste("variable", support) else names(support)
}

plot.spcabench <- function(x, components = seq_len(min(4L, ncol(x$rotation))), main = NULL,
                           col = "steelblue", ...) {
  if (ncol(x$rotation) == 0L) {
    stop("x: has no component; accepted: a fit with an answer", call. = FALSE)
  }
  if (!is_whole(components) || any(components < 1 | components > ncol(x$rotation))) {
    refuse("components", components, paste("whole numbers from 1 to", ncol(x$rotation)))
  }
  names <- short_name(unlist(lapply(x$supports[components], variable_names)))
  old <- par(mfrow = c(length(components), 1L), mar = c(2.5, 8, 2, 1))
  on.exit(par(old))
  # The left margin has room for the longest name, up to half of the width.
  inches_per_line <- par("mai")[2L] / par("mar")[2L]
  room <- max(strwidth(names, units = "inches")) / inches_per_line + 1.5
  par(mar = c(2.5, min(max(8, room), par("fin")[1L] / 2 / inches_per_line), 2, 1))
  for (j in components) {
    support <- x$supports[[j]]
    values <- x$rotation[support, j]
    names <- short_name(variable_names(support))
    order <- order(abs(values))
    # As many of the largest as there is room for their names.
    bar <- 1.2 * par("cin")[2L] * par("cex") * 0.8
    shown <- tail(order, max(2L, floor(par("pin")[2L] / bar)))
    title <- if (is.null(main)) {
      paste0(colnames(x$rotation)[j], ": variance ", format(x$explained_variance[j], digits = 4))
    } else {
      main
    }
    barplot(values[shown], names.arg = names[shown], horiz = TRUE, las = 1, col = col,
            border = NA, main = title, xlim = range(pretty(c(0, values))), cex.names = 0.8, ...)
    abline(v = 0)
    hidden <- length(order) - length(shown)
    if (hidden > 0L) {
      mtext(paste("and", hidden, "smaller"), side = 1, line = -1, adj = 1, cex = 0.7, col = "gray40")
    }
  }
  invisible(x)
}
