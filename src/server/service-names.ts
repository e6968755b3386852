/** Two names, so that a key tells whose it is. @throws RangeError */
export function servicesOf(own: string, sister: string): readonly [string, string] {
  if (own === sister) throw new RangeError(`both services are called ${own}`)
  return [serviceName(own), serviceName(sister)]
}

/** Address without the version that clients add. @throws RangeError that names the variable */
export function baseUrlOf(variable: string, text: string): string | null {
  if (text === '') return null
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new RangeError(`${variable} is not an http address: ${text}`)
  return text.replace(/\/+$/, '').replace(/\/v1$/, '')
}

function serviceName(name: string): string {
  if (!/^[a-z0-9]{2,20}$/.test(name))
    throw new RangeError(`a service name is 2 to 20 small letters and digits, not ${name}`)
  return name
}
