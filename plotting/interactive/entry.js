// What charts.js needs of Vega and Vega-Lite. The interpreter stands for the compiler of expressions, which would need
// `unsafe-eval` in the page's content security policy.
export { parse, View, Error, Warn, logger } from 'vega';
export { compile } from 'vega-lite';
export { expressionInterpreter } from 'vega-interpreter';
