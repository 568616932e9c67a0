source(commandArgs(trailingOnly = TRUE)[1])
suppressMessages(library(glmnet))

if (task == "lasso_path") {
  serve(function(setting) glmnet(X, y, lambda = lambdas, thresh = as.numeric(setting), maxit = 1e7),
        function(fit) models_of_matrix(fit$beta))
} else {
  family <- if (task == "logistic_cross_validation") "binomial" else "gaussian"
  serve(function(setting) cv.glmnet(X, y, family = family, lambda = lambdas, foldid = folds, thresh = as.numeric(setting)),
        function(fit) models_of_matrix(cbind(coef(fit, s = "lambda.min"), coef(fit, s = "lambda.1se"))[-1, , drop = FALSE]))
}
