import { Anchor, Group, Stack, Text } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { Link } from 'wouter'
import { useNumbers } from '../../numbers'
import type { Result } from '../operate'
import { Becomes } from './becomes'
import { modelDeskPath } from './model-detail'
import { shareAbove, type Pricing } from './price-keys'
import { Share, TwoPrices } from './two-prices'
import { Soft } from '../../parts/panel'

export type Preview = Result<'POST /prices/preview'>

const maxShown = 20

interface PreviewViewProps {
  readonly preview: Preview
  /** Of the one model that is concerned; null where it is none, or nobody knows. */
  readonly cost: Pricing | null
}

/** Preview of a price change: the last 30 days' calls at the new prices. */
export function PreviewView({ preview, cost }: PreviewViewProps) {
  const t = useTranslations('pricePreview')
  const { usd, count, moment } = useNumbers()
  const { models, before_usd: before, after_usd: after, since } = preview
  const counted = models.reduce((sum, { counted }) => sum + counted, 0)
  const unpriced = models.reduce((sum, { unpriced }) => sum + unpriced, 0)
  if (models.length === 0)
    return (
      <Text size="sm" role="status">
        {t('nothing')}
      </Text>
    )
  return (
    <Stack gap="sm" role="status">
      <div className="preview-sums">
        <Sum name={t('before')} value={usd(before, 4)} />
        <Sum name={t('after')} value={usd(after, 4)} />
        <div>
          <Soft>{t('moves')}</Soft>
          <Text fz="lg" fw={650} component="div">
            <Share of={shareAbove(before, after)} />
          </Text>
        </div>
      </div>
      <Soft>
        {t('counted', { count: count(counted) })}
        {since !== null && ` ${t('since', { when: moment(Date.parse(since)) })}`}
        {unpriced > 0 && ` ${t('unpriced', { count: count(unpriced) })}`}
      </Soft>
      <Moves models={models} />
      {cost !== null && models[0] !== undefined && (
        <Margins cost={cost} sale={models[0].pricing_after} />
      )}
    </Stack>
  )
}

const Sum = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div>
    <Soft>{name}</Soft>
    <Text fz="lg" fw={650} className="number">
      {value}
    </Text>
  </div>
)

/** Prices that would move: of one model each of them, of several what their calls come to. */
function Moves({ models }: { readonly models: Preview['models'] }) {
  const t = useTranslations('pricePreview')
  const { usd, count } = useNumbers()
  const [first] = models
  if (first !== undefined && models.length === 1)
    return (
      <>
        <ModelLink id={first.model} />
        <TwoPrices
          label={t('prices')}
          heads={[t('now'), t('later'), t('moves')]}
          first={first.pricing}
          second={first.pricing_after}
          onlyMoved
        />
      </>
    )
  return (
    <>
      <Text size="sm">{t('models', { count: count(models.length) })}</Text>
      <ul className="rows flush">
        {models.slice(0, maxShown).map((model) => (
          <li key={model.model}>
            <Group justify="space-between" gap="xs">
              <ModelLink id={model.model} />
              <Text size="sm" className="number">
                <Becomes from={usd(model.before_usd, 4)} to={usd(model.after_usd, 4)} />
              </Text>
            </Group>
          </li>
        ))}
      </ul>
      {models.length > maxShown && (
        <Soft>{t('others', { count: count(models.length - maxShown) })}</Soft>
      )}
    </>
  )
}

interface MarginsProps {
  readonly cost: Pricing
  readonly sale: Pricing
}

/** Margins at the new prices; those below cost are told in words too. */
function Margins({ cost, sale }: MarginsProps) {
  const t = useTranslations('pricePreview')
  const isBelow = Object.keys(cost).some((key) => (shareAbove(cost[key], sale[key]) ?? 0) < 0)
  return (
    <>
      {isBelow && (
        <div className="notice warned">
          <Text size="sm">{t('belowCost')}</Text>
        </div>
      )}
      <details className="more" open={isBelow}>
        <summary>{t('margins')}</summary>
        <TwoPrices
          label={t('margins')}
          heads={[t('cost'), t('later'), t('margin')]}
          first={cost}
          second={sale}
        />
      </details>
    </>
  )
}

const ModelLink = ({ id }: { readonly id: string }) => (
  <Anchor component={Link} href={modelDeskPath(id)} className="code" dir="ltr" lang="en">
    {id}
  </Anchor>
)
