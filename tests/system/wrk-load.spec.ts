import { describeLoad } from '../bench/load/load-suite';

describeLoad('wrk');
