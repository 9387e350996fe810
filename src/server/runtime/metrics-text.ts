/**
 * Fault: prom-client writes a value that is not a number as Nan; the text format asks for NaN. Steps: scrape twice in a
 *   row, so that the lag of the event loop has no sample.
 * Link: open-telemetry/opentelemetry-js#3465 (the same fault elsewhere; prom-client's lib/util.js has no issue for it)
 * Gain: scrapers that follow the format to the letter read every line.
 * Delete it when: prom-client writes NaN.
 */
export const spellNaN = (metrics: string): string => metrics.replace(/ Nan$/gm, ' NaN')
