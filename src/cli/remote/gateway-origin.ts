/** The origin of an address as it was typed. @throws RangeError */
export function gatewayOrigin(text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new RangeError(`not an http address: ${text}`)
  return url.origin
}
