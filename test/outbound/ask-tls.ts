/** Asks one https address through the pool, and says the reply or why there is none. */
import { systemMonotonic } from '../../src/domain/clock'
import { openTurn } from '../../src/gateway/net/write-batcher'
import { Attempt } from '../../src/gateway/outbound/http1/attempt'
import { readOrigin } from '../../src/gateway/outbound/http1/origin'
import { openPool } from '../../src/gateway/outbound/http1/pool'
import { openRequestHead } from '../../src/gateway/outbound/http1/request-head'
import { wholeText } from '../support/whole-text'

const origin = readOrigin(process.argv[2] ?? '')
const head = openRequestHead(origin, [])
const parts = { method: 'GET', path: '/', contentType: null, contentBytes: null }
try {
  const request = { head: head(parts), body: null, idempotent: true }
  const reply = await openPool(systemMonotonic, openTurn()).exchange(origin, request, new Attempt())
  process.stdout.write(await wholeText(reply))
} catch (thrown) {
  process.stdout.write(String(thrown))
}
