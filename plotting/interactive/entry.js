// The parts of Vega and Vega-Lite that charts.js uses. The interpreter replaces the compiler of
// expressions, which would need `unsafe-eval` in the page's content security policy.
export { parse, View, Error, Warn, logger } from 'vega';
export { compile } from 'vega-lite';
export { expressionInterpreter } from 'vega-interpreter';
