# The biplot of a fit: scores of the samples, and loadings as arrows with names that do not overlap.

biplot.spcabench <- function(x, choices = 1:2, scale = 0, pc.biplot = FALSE, cex = 0.8,
                             col = c("grey55", "firebrick"), most = 20L, xlab = NULL, ylab = NULL,
                             main = NULL, pch = 20, var.axes = TRUE, xlabs = NULL, ylabs = NULL,
                             expand = 1, xlim = NULL, ylim = NULL, arrow.len = 0.08, ...) {
  if (ncol(x$rotation) < 2L) {
    stop("x: has ", ncol(x$rotation), " component", if (ncol(x$rotation) != 1L) "s",
         "; accepted: a fit with two or more", call. = FALSE)
  }
  if (!is_whole(choices) || length(choices) != 2L || any(choices < 1 | choices > ncol(x$rotation))) {
    refuse("choices", choices, paste("two whole numbers from 1 to", ncol(x$rotation)))
  }
  most <- whole("most", most, 0)
  var.axes <- flag("var.axes", var.axes)
  if (!is.numeric(expand) || length(expand) != 1L || is.na(expand) || expand <= 0) {
    refuse("expand", expand, "a number > 0")
  }
  refuse_others(...)
  col <- rep(col, length.out = 2L)
  cex <- rep(cex, length.out = 2L)
  xlabs <- labels_of("xlabs", xlabs, NROW(x$x))
  ylabs <- labels_of("ylabs", ylabs, nrow(x$rotation))
  used <- which(rowSums(x$rotation[, choices] != 0) > 0)
  lambda <- biplot_lambda(x, choices, scale, flag("pc.biplot", pc.biplot))
  tips <- t(t(x$rotation[used, choices, drop = FALSE]) * lambda)
  names <- if (is.null(rownames(tips))) paste("variable", used) else rownames(tips)
  if (!is.null(ylabs)) {
    names <- ylabs[used]
  }
  points <- if (!is.null(x$x)) t(t(x$x[, choices, drop = FALSE]) / lambda)
  factor <- 1
  if (!is.null(points)) {
    ratio <- apply(abs(points), 2L, max) / apply(abs(tips), 2L, max)
    ratio <- ratio[is.finite(ratio) & ratio > 0]
    factor <- if (length(ratio) > 0L) signif(0.9 * expand * min(ratio), 2L) else 1
  }
  tips <- tips * factor
  all <- rbind(points, tips, c(0, 0))
  axis <- paste(if (is.null(points)) "loading of" else "score of", colnames(x$rotation)[choices])
  if (is.null(main)) {
    scaled <- if (any(lambda != 1)) "scaled"
    main <- if (is.null(points)) "" else
      paste(c(scaled, "scores, and", scaled, "loadings times", format(factor)), collapse = " ")
  }
  plot(all, type = "n", xlim = if (is.null(xlim)) widened(all[, 1L]) else xlim,
       ylim = if (is.null(ylim)) widened(all[, 2L]) else ylim, main = main,
       xlab = if (is.null(xlab)) axis[1L] else xlab, ylab = if (is.null(ylab)) axis[2L] else ylab,
       ...)
  abline(h = 0, v = 0, col = "grey85")
  if (!is.null(xlabs)) {
    text(points, xlabs, col = col[1L], cex = cex[1L])
  } else if (!is.null(points)) {
    points(points, pch = pch, col = col[1L], cex = cex[1L])
  }
  if (var.axes) {
    draw_arrows(tips, col[2L], arrow.len)
  }
  order <- order(-rowSums(tips^2))
  shown <- order[seq_len(min(most, length(order)))]
  placed <- nrow(draw_names(tips[shown, , drop = FALSE], short_name(names[shown]), cex[2L], col[2L]))
  if (placed < length(used)) {
    mtext(paste(length(used) - placed, "more without a name"), side = 1L, line = -1, adj = 1,
          cex = 0.7 * cex[2L], col = "grey40")
  }
  invisible(x)
}

# Returns the factors of the loadings, by which the scores are divided, as biplot.prcomp() has them.
biplot_lambda <- function(x, choices, scale, pc.biplot) {
  if (!is.numeric(scale) || length(scale) != 1L || is.na(scale) || scale < 0 || scale > 1) {
    refuse("scale", scale, "a number from 0 to 1")
  }
  n <- if (is.null(x$x)) 1 else nrow(x$x)
  lambda <- (x$sdev[choices] * sqrt(n))^scale
  if (any(lambda == 0)) {
    refuse("scale", scale, "0, because a component adds no variance")
  }
  if (pc.biplot) lambda / sqrt(n) else lambda
}

# Returns the labels as text; NULL if none are given.
labels_of <- function(name, labels, count) {
  if (is.null(labels)) {
    return(NULL)
  }
  if (length(labels) != count) {
    refuse(name, labels, paste("NULL or", count, "labels"))
  }
  as.character(labels)
}

# Refuses arguments that plot() would ignore with several warnings.
refuse_others <- function(...) {
  accepted <- c("sub", "asp", "log", "ann", "axes", "frame.plot", "panel.first", "panel.last",
                names(par(no.readonly = TRUE)))
  found <- names(list(...))
  other <- setdiff(if (is.null(found)) rep("", ...length()) else found, accepted)
  if (length(other) > 0L) {
    refuse("biplot", other, "the arguments of biplot.prcomp(), and graphical parameters by name")
  }
}

# Returns the range with room for names on both sides.
widened <- function(values) {
  range <- range(values)
  room <- 0.16 * diff(range)
  range + c(-1, 1) * if (room > 0) room else 1
}

# Shortens long names in the middle: names often differ at one of their ends.
short_name <- function(names) {
  length <- nchar(names)
  cut <- length > 28L
  names[cut] <- paste0(substr(names[cut], 1L, 13L), "...",
                       substr(names[cut], length[cut] - 11L, length[cut]))
  names
}

# Leaves out arrows shorter than a thousandth of an inch: arrows() warns of them and draws nothing.
draw_arrows <- function(tips, col, length = 0.08) {
  inches <- sqrt(xinch_of(tips[, 1L])^2 + yinch_of(tips[, 2L])^2)
  long <- inches > 1 / 1000
  if (any(long)) {
    arrows(0, 0, tips[long, 1L], tips[long, 2L], length = length, col = col)
  }
}

xinch_of <- function(values) values * par("pin")[1L] / diff(par("usr")[1:2])

yinch_of <- function(values) values * par("pin")[2L] / diff(par("usr")[3:4])

# Writes each name beside its tip so that no two overlap, and returns the box of each name that found
# room: left, bottom, right, top, in inches. A name begins beyond its tip, as seen from the origin.
# It moves around the tip, then further away, until it is free. A line joins a name that is far away
# to its tip. `tips` are in the units of the axes.
draw_names <- function(tips, names, cex, col) {
  if (length(names) == 0L) {
    return(matrix(0, 0L, 4L))
  }
  usr <- par("usr")
  width <- strwidth(names, units = "inches", cex = cex) + 0.06
  height <- strheight(names, units = "inches", cex = cex) + 0.05
  x <- xinch_of(tips[, 1L])
  y <- yinch_of(tips[, 2L])
  left <- xinch_of(usr[1L])
  right <- xinch_of(usr[2L])
  bottom <- yinch_of(usr[3L])
  top <- yinch_of(usr[4L])
  # A name should not cross an arrow, so points along the arrows are obstacles too.
  along <- seq(0.1, 1, length.out = 19L)
  line_x <- outer(along, x)
  line_y <- outer(along, y)
  boxes <- matrix(0, 0L, 4L)
  is_free <- function(box) {
    box[1L] >= left && box[3L] <= right && box[2L] >= bottom && box[4L] <= top &&
      !any(box[1L] < boxes[, 3L] & boxes[, 1L] < box[3L] &
             box[2L] < boxes[, 4L] & boxes[, 2L] < box[4L])
  }
  for (i in seq_along(names)) {
    angle <- atan2(y[i], x[i])
    found <- NULL
    crossing <- NULL
    for (distance in c(0.03, 0.1, 0.2, 0.3, 0.42, 0.55, 0.7, 0.9, 1.1, 1.4)) {
      for (turn in c(0, 20, -20, 40, -40, 60, -60, 85, -85, 110, -110, 135, -135, 160, -160, 180)) {
        way <- c(cos(angle + turn * pi / 180), sin(angle + turn * pi / 180))
        # The nearest place in this direction at which the box leaves the tip free.
        reach <- min((c(width[i], height[i]) / 2 / abs(way))[abs(way) > 1e-9])
        centre <- c(x[i], y[i]) + way * (reach + distance)
        box <- c(centre - c(width[i], height[i]) / 2, centre + c(width[i], height[i]) / 2)
        if (!is_free(box)) next
        place <- list(centre = centre, box = box, distance = distance)
        if (!any(line_x > box[1L] & line_x < box[3L] & line_y > box[2L] & line_y < box[4L])) {
          found <- place
          break
        }
        if (is.null(crossing)) crossing <- place
      }
      if (!is.null(found)) break
    }
    if (is.null(found)) found <- crossing
    if (is.null(found)) next
    boxes <- rbind(boxes, found$box)
    at <- c(found$centre[1L] * diff(usr[1:2]) / par("pin")[1L],
            found$centre[2L] * diff(usr[3:4]) / par("pin")[2L])
    if (found$distance > 0.05) {
      # The line ends at the nearest point of the box.
      end <- pmin(pmax(c(x[i], y[i]), found$box[1:2]), found$box[3:4])
      segments(tips[i, 1L], tips[i, 2L], end[1L] * diff(usr[1:2]) / par("pin")[1L],
               end[2L] * diff(usr[3:4]) / par("pin")[2L], col = "grey60", lwd = 0.7)
    }
    text(at[1L], at[2L], names[i], cex = cex, col = col)
  }
  boxes
}
