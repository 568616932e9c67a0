source(commandArgs(trailingOnly = TRUE)[1])
suppressMessages(library(L0Learn))

max_k <- min(100, ncol(X), nrow(X) %/% 2)
serve(function(setting) L0Learn.fit(X, y, penalty = "L0", algorithm = setting, maxSuppSize = max_k, nLambda = 100),
      function(fit) {
        models <- models_of_matrix(fit$beta[[1]])
        sizes <- vapply(models, function(model) length(model$columns), 1L)
        models <- models[!duplicated(sizes)]  # the largest lambda of a size
        lapply(models, function(model) { model$point <- length(model$columns); model })
      })
