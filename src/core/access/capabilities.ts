/** Capabilities say what a key may do. A preset is a named list of capabilities for a new key. */
import { wordValue } from '../values.js'

export const PRESETS = {
  locality: ['frame.read', 'locality.query', 'layer.read', 'project.read'],
  analyst: ['frame.read', 'locality.query', 'layer.read', 'project.read', 'ask.query', 'stats.read'],
  'full-read': [
    'frame.read',
    'locality.query',
    'layer.read',
    'project.read',
    'ask.query',
    'stats.read',
    'feature.read',
    'dashboard.read',
  ],
} as const

export type Preset = keyof typeof PRESETS
export type Capability = (typeof PRESETS)['full-read'][number]

export const CAPABILITIES: readonly string[] = PRESETS['full-read']
export const PRESET_NAMES = Object.keys(PRESETS) as Preset[]

const titles: Record<Preset, string> = { locality: 'Locality', analyst: 'Analyst', 'full-read': 'Full read' }

export const presetTitle = (preset: Preset) => titles[preset]

export const presetValue = wordValue('PRESET', PRESET_NAMES)

export const presetsWith = (capability: Capability) =>
  PRESET_NAMES.filter((preset) => (PRESETS[preset] as readonly string[]).includes(capability)).map(presetTitle)

/** The preset that has exactly these capabilities, if one has. */
export const presetOf = (capabilities: readonly string[]): Preset | undefined =>
  PRESET_NAMES.find(
    (preset) =>
      PRESETS[preset].length === capabilities.length && PRESETS[preset].every((each) => capabilities.includes(each)),
  )

export type ApiCall = { method: 'GET' | 'POST'; path: string; capability: Capability }
