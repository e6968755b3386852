/** Models and their prices: pages that come together, since they share most of their parts. */
export { ModelImports } from '../prices/model-imports'
export { ModelDesk } from '../prices/model-page'
export { ModelsDesk } from '../prices/models'
export { PriceRules } from '../prices/price-rules'
export { Proposals } from '../prices/proposals'
