import { GatewayError } from '../errors/gateway-error'

/**
 * Waits for the beginning of an answer whose head is there already: a vendor may fall silent behind it.
 * @throws upstream_unreachable after that long | what `wait` throws
 */
export function within<T>(timeoutMs: number, model: string, wait: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new GatewayError('upstream_unreachable', { model }))
    }, timeoutMs)
    wait.finally(() => clearTimeout(timer)).then(resolve, reject)
  })
}
