/** The scripts of the map. */

/** The scripts of the page import these. Fetched one after the other as imports are found, they would take twice as long. */
export const mapModules = [
  'maplibre-gl.mjs',
  'map-beside.js',
  'map-box.js',
  'map-browser.js',
  'map-card.js',
  'map-labels.js',
  'map-loading.js',
  'map-marks.js',
  'map-note.js',
  'map-parts.js',
  'map-picture.js',
  'map-shape.js',
  'map-style.js',
  'map-view.js',
]

/** They run in this order. */
export const mapScripts = ['map-ahead.js', 'map.js', 'spend.js']

/** MapLibre starts it once the map is there. */
export const mapWorker = 'maplibre-gl-worker.mjs'

/** A person who signs in comes to the map. */
export const mapFiles = [...mapModules, ...mapScripts, 'map.css', mapWorker]
