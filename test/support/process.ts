/**
 * Mocha loads this before any other file. The flag --enable-source-maps would make Mocha start a second process, which
 * does not get SIGTERM.
 */
import { exitOnSignals } from './children.js'

process.setSourceMapsEnabled(true)
exitOnSignals()
