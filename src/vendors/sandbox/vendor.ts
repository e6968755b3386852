import { openai } from '../openai/vendor'
import type { Vendor } from '../vendor'
import { music } from './music'
import { connect } from './realtime'
import { serve } from './server'
import { transcribe } from './transcribe'

/** The reference kind, with a vendor that lives in this process: everything else goes the real way. */
export const sandbox: Vendor = {
  ...openai,
  kind: 'sandbox',
  abilities: { ...openai.abilities, music, transcribe },
  fetch: serve,
  connect,
}
