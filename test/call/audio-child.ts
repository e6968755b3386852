/** A gateway in a process of its own, whose memory is watched. Tells its address, and its peak when asked. */
import { openTestGateway } from '../support/gateway'

const [, , vendorUrl = '', folder = ''] = process.argv
const chapar = await openTestGateway({
  folder,
  async prepare({ catalogue }) {
    await catalogue.saveVendor({
      name: 'ears',
      kind: 'openai',
      dialect: 'openai',
      baseUrl: vendorUrl,
      credential: 'sk-vendor-secret',
      timeoutMs: 90_000,
      transport: 'own',
      active: true,
      source: 'command',
    })
    await catalogue.saveModel(
      {
        id: 'whisper',
        type: 'audio_stt',
        name: 'whisper',
        ownedBy: 'ears',
        description: null,
        contextLength: null,
        maxOutputTokens: null,
        capabilities: { formats: ['json', 'verbose_json'] },
        traits: {},
        isFree: false,
        status: 'active',
        routes: [{ vendor: 'ears', vendorModel: 'whisper-1', priority: 0, weight: 1 }],
      },
      [{ meter: 'audio_second', unit: 'minute', price: '0.006' }],
    )
  },
})

let peak = 0
setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 5)

process.stdout.write(`${JSON.stringify({ url: chapar.url, key: chapar.key })}\n`)
for await (const line of console) {
  if (line === 'reset') peak = process.memoryUsage.rss()
  if (line === 'reset' || line === 'peak') process.stdout.write(`${JSON.stringify({ peak })}\n`)
}
