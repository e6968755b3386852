import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Tests own their environment: nothing of the machine's may put a vendor on sale.
for (const name of Object.keys(process.env)) if (name.endsWith('_API_KEY')) delete process.env[name]

// Gateways that others run on this machine are none of theirs.
process.env['XDG_STATE_HOME'] = mkdtempSync(join(tmpdir(), 'chapar-state-'))
