# The protocol of child.py for rivals in R: reads the data, says "ready", then serves the runs that are asked for.

arguments <- commandArgs(trailingOnly = TRUE)
folder <- arguments[2]
task <- arguments[3]

read_npy <- function(name) {
  file <- file(file.path(folder, name), "rb")
  on.exit(close(file))
  magic <- readBin(file, "raw", 8)
  length <- readBin(file, "integer", 1, size = if (magic[7] == as.raw(1)) 2 else 4, signed = FALSE, endian = "little")
  header <- rawToChar(readBin(file, "raw", length))
  shape <- regmatches(header, regexpr("\\(([^)]*)\\)", header))
  shape <- as.numeric(strsplit(gsub("[() ]", "", shape), ",")[[1]])
  type <- sub(".*'descr': '([^']*)'.*", "\\1", header)
  values <- switch(type,
    "<f8" = readBin(file, "double", prod(shape), endian = "little"),
    "<i4" = readBin(file, "integer", prod(shape), endian = "little"),
    stop("unknown type of numbers: ", type))
  if (length(shape) == 2) dim(values) <- shape  # column-major, as R has it
  values
}

if (file.exists(file.path(folder, "X.npy"))) {
  X <- read_npy("X.npy")
} else {
  starts <- read_npy("starts.npy")
  meta <- paste(readLines(file.path(folder, "meta.json"), warn = FALSE), collapse = "")
  n <- as.integer(sub('.*"n": ([0-9]+).*', "\\1", meta))
  X <- Matrix::sparseMatrix(i = read_npy("rows.npy"), p = starts, x = read_npy("values.npy"),
                            dims = c(n, length(starts) - 1), index1 = FALSE)
}
y <- read_npy("y.npy")
folds <- read_npy("folds.npy") + 1L
lambdas <- scan(file.path(folder, "lambdas.txt"), quiet = TRUE) / nrow(X)

# `models`: a list of points, each list(point, columns (from 1), values).
write_models <- function(models, path) {
  file <- file(path, "w")
  on.exit(close(file))
  for (model in models) {
    cat(model$point, "-1 0\n", file = file)
    if (length(model$columns) > 0)
      writeLines(sprintf("%d %d %.17g", as.integer(model$point), as.integer(model$columns) - 1L, model$values), file)
  }
}

# The models in the columns of a coefficient matrix without its intercept.
models_of_matrix <- function(beta) {
  lapply(seq_len(ncol(beta)), function(m) {
    values <- as.numeric(beta[, m])
    columns <- which(values != 0)
    list(point = m - 1, columns = columns, values = values[columns])
  })
}

say <- function(...) {
  cat(..., "\n")
  flush(stdout())
}

# run(setting) returns what is timed, models(result) turns it into models.
serve <- function(run, models) {
  say("ready")
  input <- file("stdin", "r")
  while (length(line <- readLines(input, 1)) > 0) {
    words <- strsplit(line, " ")[[1]]
    began <- Sys.time()
    result <- run(words[1])
    say("ran", as.numeric(difftime(Sys.time(), began, units = "secs")))
    if (words[2] != "-") write_models(models(result), words[2])
    say("done")
  }
}
