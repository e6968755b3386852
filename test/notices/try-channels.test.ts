import { expect, test } from 'bun:test'
import { operatorKey } from '../console/operator-visitor'
import { testFolder } from '../storage/folder'
import { openTestGateway } from '../support/gateway'

test('tests of channels at once share one sample, and all of them are answered', async () => {
  using folder = testFolder()
  const gateway = await openTestGateway({ web: true, folder: folder.path })
  try {
    const key = await operatorKey(gateway, 'owner')
    const send = async () => {
      const response = await fetch(`${new URL(gateway.url).origin}/admin/v1/notices/tests`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
      })
      return { status: response.status, body: await response.json() }
    }
    const answers = await Promise.all([send(), send(), send()])
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(answers[0]).toMatchObject({ status: 200, body: { data: [{ ok: true }] } })
    expect(await send()).toMatchObject({ status: 200 })
  } finally {
    await gateway.close()
  }
})
