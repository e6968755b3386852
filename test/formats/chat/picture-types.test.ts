import { describe, expect, test } from 'bun:test'
import { readParts } from '../../../src/gateway/formats/chat/parts'
import { trueType } from '../../../src/gateway/media/picture-type'

const base64 = (...bytes: readonly (number | string)[]): string =>
  Buffer.concat(
    bytes.map((each) => (typeof each === 'number' ? Buffer.from([each]) : Buffer.from(each))),
  ).toString('base64')

const files = {
  'image/png': base64(0x89, 'PNG\r\n', 0x1a, '\n', 'rest of the file'),
  'image/jpeg': base64(0xff, 0xd8, 0xff, 0xe0, 'rest of the file'),
  'image/gif': base64('GIF89a rest of the file'),
  'image/webp': base64('RIFF', 0x24, 0, 0, 0, 'WEBPVP8 rest'),
}

const sourceOf = (url: string): unknown =>
  readParts([{ type: 'image_url', image_url: { url } }], 'messages[0]').map((part) =>
    part.type === 'image' && part.source.kind === 'data' ? part.source.mediaType : part,
  )[0]

describe.each(Object.entries(files))('a picture of type %s', (type, data) => {
  test.each([
    ...Object.keys(files),
    'image/jpg',
    'image/x-png',
    'image/*',
    'application/octet-stream',
  ])('is one also when it is said to be %s', (told) => {
    expect(sourceOf(`data:${told};base64,${data}`)).toBe(type)
  })
})

test('a type that the bytes say nothing of is the one that was told, by its proper name', () => {
  expect(trueType('image/jpg', base64('no picture'))).toBe('image/jpeg')
  expect(trueType('image/heic', base64(0, 0, 0, 0x18, 'ftypheic'))).toBe('image/heic')
  expect(trueType('image/png', base64('RIFF', 0, 0, 0, 0, 'WAVEfmt '))).toBe('image/png')
  expect(trueType('image/png', 'UklGR')).toBe('image/png')
})
