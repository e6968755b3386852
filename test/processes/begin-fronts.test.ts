import { expect, test } from 'bun:test'
import { beginFronts, ServingFronts } from '../../src/app/serving-fronts'

const urls = { url: 'http://127.0.0.1:1', operatorUrl: 'http://127.0.0.1:1' }

/** An owner whose fronts serve as soon as they are begun, beside so many of an earlier owner. */
function openFake(old: number, isFit: (begun: number) => boolean = () => true) {
  const serving = new ServingFronts()
  const did: string[] = []
  let begun = 0
  const serve = async () => {
    const node = ++begun
    await Bun.sleep(1)
    if (!isFit(node)) return serving.fails(new Error('no port'))
    did.push('serves')
    serving.serves(node, urls)
  }
  const owner = {
    begin() {
      if (old > 0) return false
      void serve()
      void serve()
      return true
    },
    add: () => void serve(),
    dismiss() {
      if (old === 0) return false
      old--
      did.push('dismiss')
      return true
    },
  }
  return { owner, serving, did }
}

test('fronts of an earlier owner leave one by one, each behind one that serves', async () => {
  const { owner, serving, did } = openFake(2)
  expect(await beginFronts(owner, serving, 2)).toEqual({ ...urls, replaced: 2 })
  expect(did).toEqual(['serves', 'dismiss', 'serves', 'dismiss'])
})

test('where there are to be fewer, the rest of them leaves last', async () => {
  const { owner, serving, did } = openFake(3)
  expect((await beginFronts(owner, serving, 1)).replaced).toBe(3)
  expect(did).toEqual(['serves', 'dismiss', 'dismiss', 'dismiss'])
})

test('nobody leaves for one that cannot serve', async () => {
  const { owner, serving, did } = openFake(2, (node) => node === 1)
  expect(beginFronts(owner, serving, 2)).rejects.toThrow('no port')
  await Bun.sleep(20)
  expect(did).toEqual(['serves', 'dismiss'])
})

test('an owner without an earlier one begins all at once', async () => {
  const { owner, serving, did } = openFake(0)
  expect((await beginFronts(owner, serving, 2)).replaced).toBe(0)
  expect(did).toEqual(['serves', 'serves'])
})
