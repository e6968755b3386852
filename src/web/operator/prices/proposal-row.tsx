import { Anchor, Badge, Group, Stack, Text } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { Link } from 'wouter'
import { useNumbers } from '../../numbers'
import { languageOf, useCause } from '../meanings'
import { modelDeskPath, type Proposal } from './model-detail'
import { shareAbove } from './price-keys'
import { PriceName } from './price-name'
import { Share, TwoPrices } from './two-prices'
import { Code, Soft } from '../../parts/panel'

interface ProposalRowProps {
  readonly proposal: Proposal
  readonly isChosen: boolean
  /** Null where nothing can be chosen. */
  readonly onChoose: ((isChosen: boolean) => void) | null
}

/** A price proposal with its effect. */
export function ProposalRow({ proposal, isChosen, onChoose }: ProposalRowProps) {
  const t = useTranslations('proposals')
  const { moment } = useNumbers()
  const { id, kind, model, vendor, vendor_model: vendorModel, created } = proposal
  return (
    <div className="list-link still">
      <div className={onChoose === null ? '' : 'picked-row'}>
        {onChoose !== null && (
          <label className="pick">
            <input
              type="checkbox"
              checked={isChosen}
              aria-label={t('choose', { model, id })}
              onChange={(event) => onChoose(event.currentTarget.checked)}
            />
          </label>
        )}
        <Stack gap="sm" style={{ minWidth: 0 }}>
          <Group justify="space-between" align="flex-start" gap="xs">
            <div style={{ minWidth: 0 }}>
              <Anchor
                component={Link}
                href={modelDeskPath(model)}
                fw={600}
                size="sm"
                dir="ltr"
                style={{ overflowWrap: 'anywhere' }}
              >
                {model}
              </Anchor>
              <Soft>
                {vendor !== null && (
                  <>
                    {t('at', { vendor: `\u2066${vendor}\u2069` })} <Code>{vendorModel}</Code>
                    {' · '}
                  </>
                )}
                <bdi>{moment(Date.parse(created))}</bdi>
              </Soft>
            </div>
            <Badge variant="light" color={kind === 'discontinued' ? 'red' : 'firuze'} tt="none">
              {t(kind)}
            </Badge>
          </Group>
          {kind === 'cost' ? (
            <MovedCosts proposal={proposal} />
          ) : (
            <Soft>
              <Cause of={proposal} />
            </Soft>
          )}
          {kind !== 'discontinued' && <Effects proposal={proposal} />}
        </Stack>
      </div>
    </div>
  )
}

function Cause({ of }: { readonly of: Proposal }) {
  const cause = useCause()(of)
  // In other words than the program's it is as it was written.
  const language = languageOf(of.cause_code)
  return <bdi {...language}>{cause}</bdi>
}

/** Costs that would be others, with who tells so. */
function MovedCosts({ proposal }: { readonly proposal: Proposal }) {
  const { moved } = proposal
  const t = useTranslations('proposals')
  const { decimal } = useNumbers()
  const shown = (price: string | null) => (price === null ? '–' : decimal(price))
  const sources = (names: readonly string[]) => `\u2066${names.join(', ')}\u2069`
  return (
    <div className="sideways">
      <table className="receipt two-prices">
        <thead>
          <tr>
            <th scope="col">{t('costFor')}</th>
            <th scope="col">{t('old')}</th>
            <th scope="col">{t('new')}</th>
            <th scope="col">{t('difference')}</th>
          </tr>
        </thead>
        <tbody>
          {moved.map(({ price, before, after, agree, differ }) => (
            <tr key={price}>
              <th scope="row">
                <PriceName of={price} />
                <Text size="xs" className="soft">
                  {agree.length > 0 && t('agree', { sources: sources(agree) })}
                  {differ.length > 0 && ` · ${t('differ', { sources: sources(differ) })}`}
                </Text>
              </th>
              <td className="number">{shown(before)}</td>
              <td className="number">{shown(after)}</td>
              <td className="number">
                <Share of={shareAbove(before ?? undefined, after ?? undefined)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Text size="xs" className="soft" mt={4}>
        <Cause of={proposal} />
      </Text>
    </div>
  )
}

/** Sale prices of models by a proposal. */
function Effects({ proposal: { models } }: { readonly proposal: Proposal }) {
  const t = useTranslations('proposals')
  const { count, percent } = useNumbers()
  const margin = (text: string | null) =>
    text === null ? '–' : `\u2066${percent(Number(text) / 100)}\u2069`
  return models.map(({ model, pricing, pricing_proposed: then, margin_percent, calls_30d }) => (
    <details key={model} className="more">
      <summary>
        {t('effect', {
          model: `\u2066${model}\u2069`,
          before: margin(margin_percent.before),
          unchanged: margin(margin_percent.unchanged),
          after: margin(margin_percent.after),
          calls: count(calls_30d),
        })}
      </summary>
      <TwoPrices
        label={t('effectOf', { model })}
        heads={[t('now'), t('later'), t('difference')]}
        first={pricing}
        second={then}
      />
    </details>
  ))
}
