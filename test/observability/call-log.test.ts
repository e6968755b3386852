import { expect, test } from 'bun:test'
import type { Log, LogFields } from '../../src/gateway/observability/log'
import { ask, openTestGateway } from '../support/gateway'
import { chunk, failure, openStandIn, streamReply } from '../support/stand-in'

const openNotes = () => {
  const told: (LogFields & { readonly event: string })[] = []
  const note = (event: string, fields: LogFields = {}) => void told.push({ ...fields, event })
  const log: Log = {
    debug: note,
    info: note,
    warn: note,
    error: note,
    debugging: false,
    print() {},
    flush() {},
  }
  return { told, log }
}

test('a vendor’s failure is logged with our code beside the vendor’s own, and is on the record', async () => {
  const { told, log } = openNotes()
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

test('why a stream broke is logged with its request and vendor, and its client is told', async () => {
  const { told, log } = openNotes()
  const vendor = openStandIn()
  const chapar = await openTestGateway({ vendorUrl: vendor.url, log })
  try {
    vendor.play(() => streamReply([chunk({ content: 'half' })]))
    const answer = await chapar.post({ ...ask('priced'), stream: true })
    expect(await answer.text()).toContain('stream_interrupted')
    expect(told.find(({ event }) => event === 'stream broke')).toMatchObject({
      request: answer.headers.get('x-request-id'),
      vendor: 'standin',
      code: 'stream_interrupted',
      message: 'vendor stream ended early',
    })
    await chapar.audit()
  } finally {
    await chapar.close()
    await vendor.close()
  }
})
