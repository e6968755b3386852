import { keyPrefix, readConfig } from '../config'
import { discoverVendors, noDiscovery, type Discovery } from '../vendors/discover'
import { probe } from './probe'
import { servingUrl } from './reach'

/**
 * Vendors as a gateway started from here finds them: keys in the environment, servers on this
 * machine; never the gateway that serves this folder.
 */
export async function detectVendors(folder: string): Promise<Discovery> {
  const config = readConfig(process.env)
  if (!config.detect) return noDiscovery
  const serving = servingUrl(folder)
  return await discoverVendors({
    env: process.env,
    ownKeyPrefixes: config.services.map(keyPrefix),
    ownAddresses: [
      `${config.host}:${config.port}`,
      `127.0.0.1:${config.port}`,
      `localhost:${config.port}`,
      ...(serving === null ? [] : [new URL(serving).host]),
    ],
    timeoutMs: config.vendorTimeoutMs,
    probe,
  })
}
