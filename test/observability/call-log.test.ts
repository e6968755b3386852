import { expect, test } from 'bun:test'
import type { Log, LogFields } from '../../src/observability/log'
import { ask, openTestGateway } from '../support/gateway'
import { failure, openStandIn } from '../support/stand-in'

test('a vendor’s failure is logged with our code beside the vendor’s own, and is on the record', async () => {
  const told: (LogFields & { readonly event: string })[] = []
  const note = (event: string, fields: LogFields = {}) => void told.push({ ...fields, event })
  const log: Log = {
    debug: note,
    info: note,
    warn: note,
    error: note,
    debugging: false,
    flush() {},
  }
  const vendor = openStandIn()
  const chapar = await openTestGateway({ vendorUrl: vendor.url, log })
  try {
    vendor.play(failure(400, { message: 'no', code: 'unsupported_value', type: 'invalid' }))
    const id = (await chapar.post(ask('priced'))).headers.get('x-request-id') ?? ''
    expect(told.find(({ event }) => event === 'vendor failed')).toMatchObject({
      request: id,
      vendor: 'standin',
      code: 'upstream_rejected',
      status: 400,
      vendorCode: 'unsupported_value',
    })
    await chapar.audit()
    expect(await chapar.storage.reports.call(id, null)).toMatchObject({
      status: 'error',
      error: 'upstream_rejected',
    })
  } finally {
    await chapar.close()
    await vendor.close()
  }
})
