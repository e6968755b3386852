import { openai } from '../openai/vendor'
import type { Vendor } from '../vendor'
import { connect } from './realtime'
import { serve } from './server'

/** The reference kind, with a vendor that lives in this process: everything else goes the real way. */
export const sandbox: Vendor = { ...openai, kind: 'sandbox', fetch: serve, connect }
