import { expect, test } from 'bun:test'
import { readImages, renderImages } from '../../../src/gateway/formats/images/reply'
import { fieldsOf, listOf } from '../../../src/gateway/json/fields'

const png = 'iVBORw0KGgoAAAANSUhEUg=='
const address = 'https://pictures.example/1.png'

const read = (...data: readonly object[]) => readImages(JSON.stringify({ created: 1, data }))

test.each([
  ['plain base64', { b64_json: png }, { b64_json: png }],
  ['an address', { url: address }, { url: address }],
  ['a data: URL as data', { b64_json: `data:image/png;base64,${png}` }, { b64_json: png }],
  ['a data: URL as the address', { url: `data:image/png;base64,${png}` }, { b64_json: png }],
  ['both, the data empty', { b64_json: '', url: address }, { url: address }],
  ['an address as data', { b64_json: address }, { url: address }],
  ['both', { b64_json: png, url: address }, { b64_json: png, url: address }],
])('a picture that comes as %s is read', (_, sent, picture) => {
  const { data } = read({ ...sent, revised_prompt: 'a cat' })
  expect(data).toEqual([{ ...picture, revised_prompt: 'a cat' }])
})

test('an answer in its proper members passes as its vendor wrote it, any other is written anew', () => {
  expect(read({ b64_json: png }).text).toBeString()
  const reply = read({ b64_json: png }, { b64_json: `data:image/png;base64,${png}` })
  expect(reply.text).toBeUndefined()
  const answer = fieldsOf(JSON.parse(renderImages(reply, 7, [null, null])))
  expect(listOf(answer['data'])).toEqual([{ b64_json: png }, { b64_json: png }])
})

test('an answer without a picture is none', () => {
  for (const data of [[], [{}], [{ b64_json: 7 }]])
    expect(() => read(...data)).toThrow('reply without images')
})
