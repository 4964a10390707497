# shellcheck shell=bash
# Mistakes in time and in the values that travel beside the body.

need_timestamp_unit() {
  with_part timestamp
  agreed[precision]=$(cycle "$1" seconds milliseconds microseconds nanoseconds seconds)
}
break_timestamp_unit() {
  sent[precision]=$(cycle "$1" milliseconds seconds milliseconds seconds microseconds)
}

need_timestamp_skew() { with_part timestamp; }
break_timestamp_skew() {
  sent[skew_s]=$(cycle "$1" -3600 420 -28800 86400 -315)
}

need_timestamp_mismatch() {
  with_part timestamp
  agreed[precision]=$(cycle "$1" seconds milliseconds seconds microseconds nanoseconds)
}
# The clock read twice, or a coarser clock for the text; one sender signs a date.
break_timestamp_mismatch() {
  case $(($1 % 5)) in
    0) told[shift_ns]=-1000000000 ;;
    1) told[shift_ns]=$(($1 * 3000000 + 4000000)) ;;
    2) if [[ $((agreed[n] % 2)) -eq 0 ]]; then told[time]=iso; else told[shift_ns]=2000000000; fi ;;
    3) told[time]=floor-1000000 ;;
    4) told[time]=floor-1000 ;;
  esac
}

need_client_id() {
  with_part client_id
  agreed[other]=$(family "${agreed[algorithm]}")-other
}
break_client_id() {
  local wrong
  wrong=$(wrong_client_id "$1")
  sent[client_id]=$wrong
  [[ $(($1 % 5)) -eq 4 ]] || told[client_id]=$wrong
}

need_client_id_signed() { need_client_id; }
break_client_id_signed() { told[client_id]=$(wrong_client_id "$1"); }

# wrong_client_id VARIANT: the value used as the Api client ID.
wrong_client_id() {
  local lower=${agreed[api_client_id],,}
  [[ $lower == "${agreed[api_client_id]}" ]] && lower=${lower^^}
  case $(($1 % 5)) in
    0) printf '%s' "${agreed[own_id]}" ;;
    1) printf '%s' "$lower" ;;
    2) printf host_abc123def456 ;;
    3) printf cid_other ;;
    4) printf '%s' "${agreed[own_id]}" ;;
  esac
}

need_identity() {
  with_part identity
}
break_identity() {
  case $(($1 % 3)) in
    0) sent[identity]=acme-us told[identity]=acme-us ;;
    1) told[identity]=ACME-EU ;;
    2) sent[identity]=acme ;;
  esac
}

need_merchant_id() {
  with_part merchant_id
}
break_merchant_id() {
  case $(($1 % 3)) in
    0) sent[merchant_id]=10293 told[merchant_id]=10293 ;;
    1) sent[merchant_id]=M-10294 ;;
    2) told[merchant_id]=m-10293 ;;
  esac
}
