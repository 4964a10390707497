import * as filters from '../../adapters/in/http/manage/http/filters';
import { membersOf } from './from-table';

export const pairFilters = membersOf(filters.pairFilters);
export const rangeFilters = membersOf(filters.rangeFilters);
export const bothPartners = membersOf(filters.bothPartners);
