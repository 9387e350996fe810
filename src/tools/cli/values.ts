export * from '../../core/values.js'
