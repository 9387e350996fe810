import { plays } from '../support/transcript.js'

plays('cli/access', 'shared')
