export { counted } from '../../business/operations/command'
