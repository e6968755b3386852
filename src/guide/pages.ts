import anthropic from './anthropic.md' with { type: 'text' }
import ci from './ci.md' with { type: 'text' }
import decisions from './decisions.md' with { type: 'text' }
import interfacePage from './interface.md' with { type: 'text' }
import limits from './limits.md' with { type: 'text' }
import media from './media.md' with { type: 'text' }
import money from './money.md' with { type: 'text' }
import notices from './notices.md' with { type: 'text' }
import operate from './operate.md' with { type: 'text' }
import performance from './performance.md' with { type: 'text' }
import realtime from './realtime.md' with { type: 'text' }
import responses from './responses.md' with { type: 'text' }
import tryIt from './try-it.md' with { type: 'text' }
import watching from './watching.md' with { type: 'text' }

/** One page of the guide. */
export interface GuidePage {
  /** Last part of its address: `/guide/NAME`. */
  readonly name: string
  /** Markdown, with its title in the first line. */
  readonly text: string
}

/** Every page, in the order of the table of contents. */
export const guidePages: readonly GuidePage[] = [
  { name: 'try-it', text: tryIt },
  { name: 'operate', text: operate },
  { name: 'limits', text: limits },
  { name: 'money', text: money },
  { name: 'notices', text: notices },
  { name: 'watching', text: watching },
  { name: 'ci', text: ci },
  { name: 'interface', text: interfacePage },
  { name: 'media', text: media },
  { name: 'realtime', text: realtime },
  { name: 'responses', text: responses },
  { name: 'anthropic', text: anthropic },
  { name: 'performance', text: performance },
  { name: 'decisions', text: decisions },
]
