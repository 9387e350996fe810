export { registry } from './registry.js'
