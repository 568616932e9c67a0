source(commandArgs(trailingOnly = TRUE)[1])
suppressMessages(library(leaps))

p <- ncol(X)
colnames(X) <- paste0("x", seq_len(p))
serve(function(setting) regsubsets(X, y, nvmax = p, method = "exhaustive", really.big = TRUE),
      function(fit) {
        which <- summary(fit)$which
        # The table has a row for each size from 1; size 0 is the mean. Only supports matter: coefficients are set to 1.
        rows <- lapply(seq_len(nrow(which)), function(i) {
          columns <- match(colnames(which)[which[i, ]], colnames(X))
          columns <- columns[!is.na(columns)]
          list(point = length(columns), columns = columns, values = rep(1, length(columns)))
        })
        c(list(list(point = 0, columns = integer(), values = numeric())), rows)
      })
