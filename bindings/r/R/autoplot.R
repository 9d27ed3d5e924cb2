# Draws with ggplot2, a suggested package: NAMESPACE registers the methods when ggplot2 is loaded.

# ggplot2's name, in aes(), for the data of a picture: declared, so that R CMD check accepts it.
utils::globalVariables(".data")

need_ggplot2 <- function() {
  if (!requireNamespace("ggplot2", quietly = TRUE)) {
    stop("autoplot: needs the package ggplot2; accepted: plot()", call. = FALSE)
  }
}

# Returns one row for each loading: its component, its variable, and its value.
loadings_table <- function(x) {
  rows <- lapply(seq_along(x$supports), function(j) {
    support <- x$supports[[j]]
    data.frame(component = colnames(x$rotation)[j],
               variable = variable_names(support),
               loading = x$rotation[support, j], stringsAsFactors = FALSE, row.names = NULL)
  })
  do.call(rbind, rows)
}

autoplot.spcabench <- function(object, ...) {
  need_ggplot2()
  table <- loadings_table(object)
  if (is.null(table)) {
    stop("object: has no component; accepted: a fit with an answer", call. = FALSE)
  }
  table$component <- factor(table$component, unique(table$component))
  # One row for each bar: a variable may be in several panels, and variables may share a name.
  table$place <- factor(seq_len(nrow(table)), order(abs(table$loading)))
  labels <- table$variable
  names(labels) <- as.character(table$place)
  ggplot2::ggplot(table, ggplot2::aes(x = .data[["loading"]], y = .data[["place"]])) +
    ggplot2::geom_col(fill = "steelblue") +
    ggplot2::geom_vline(xintercept = 0) +
    ggplot2::facet_grid(component ~ ., scales = "free_y", space = "free_y") +
    ggplot2::scale_y_discrete(labels = labels) +
    ggplot2::labs(x = "loading", y = NULL)
}

autoplot.spcabench_path <- function(object, ...) {
  need_ggplot2()
  table <- object$table
  bounds <- table[table$solver == table$solver[1L], ]
  ggplot2::ggplot(table, ggplot2::aes(x = .data[["k"]], y = .data[["value"]])) +
    ggplot2::geom_line(ggplot2::aes(y = .data[["upper_bound"]]), data = bounds, linetype = 2) +
    ggplot2::geom_line(ggplot2::aes(colour = .data[["solver"]])) +
    ggplot2::geom_point(ggplot2::aes(colour = .data[["solver"]])) +
    ggplot2::labs(x = "nonzeros k", y = "explained variance (dashed: upper bound)")
}
