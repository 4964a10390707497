import { describeLoad } from '../bench/load-suite';

describeLoad('wrk');
