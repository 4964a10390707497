# Prints one JSON text (UTF-8, on standard input) in another form, bytes of values untouched but for what is asked:
#   gaps     keep | compact | spaced (a blank after colon and comma) | airy (blanks on both sides) | pretty (two blanks a level)
#   sort     0 | 1: members by code point, at every depth
#   unicode  keep | escape (\uXXXX for all that is not ASCII) | upper (the same in capitals) | plain (no \uXXXX left)
#   floats   0 | 1: numbers lose the zeros at the end of their fraction, as after a binary float
# Needs LC_ALL=C. Not a checker: the text is taken to be well formed.

BEGIN {
  RS = "\001"
  for (byte = 1; byte < 256; byte++) code[sprintf("%c", byte)] = byte
  for (digit = 0; digit < 16; digit++) worth[substr("0123456789abcdef", digit + 1, 1)] = digit
}

{
  text = $0
  at = 1
  lead = blank()
  out = value(0)
  printf "%s%s%s", lead, out, blank()
}

# The white space here; nothing of it is printed unless the gaps are kept.
function blank(    from) {
  from = at
  while (at <= length(text) && index(" \t\r\n", substr(text, at, 1)) > 0) at++
  return gaps == "keep" ? substr(text, from, at - from) : ""
}

function value(depth,    mark) {
  mark = substr(text, at, 1)
  if (mark == "{") return list(depth + 1, "}")
  if (mark == "[") return list(depth + 1, "]")
  if (mark == "\"") return spelt(quoted())
  return bare()
}

# A number, true, false or null.
function bare(    from, word) {
  from = at
  while (at <= length(text) && index(",]} \t\r\n", substr(text, at, 1)) == 0) at++
  word = substr(text, from, at - from)
  if (floats && word ~ /^-?[0-9]+\.[0-9]+$/) {
    sub(/0+$/, "", word)
    sub(/\.$/, "", word)
  }
  return word
}

# A string as it stands, quotes included.
function quoted(    from) {
  from = at++
  while (substr(text, at, 1) != "\"") at += substr(text, at, 1) == "\\" ? 2 : 1
  at++
  return substr(text, from, at - from)
}

# An object or an array.
function list(depth, end,    open, n, keys, items, before, item) {
  open = substr(text, at++, 1)
  before = blank()
  if (substr(text, at, 1) == end) {
    at++
    return open before end
  }
  for (n = 1; ; n++) {
    item = before (end == "}" ? member(depth, keys, n) : value(depth))
    items[n] = item blank()
    if (substr(text, at++, 1) == end) break
    before = blank()
  }
  if (sort && end == "}") arrange(keys, items, n)
  return joined(open, end, depth, items, n)
}

function member(depth, keys, n,    raw, colon) {
  raw = quoted()
  keys[n] = plain(substr(raw, 2, length(raw) - 2))
  colon = blank()
  at++
  if (gaps == "keep") colon = colon ":" blank()
  else { blank(); colon = gaps == "compact" ? ":" : gaps == "airy" ? " : " : ": " }
  return spelt(raw) colon value(depth)
}

function arrange(keys, items, n,    i, j, held) {
  for (i = 2; i <= n; i++)
    for (j = i; j > 1 && (keys[j] "") < (keys[j - 1] ""); j--) {
      held = keys[j]; keys[j] = keys[j - 1]; keys[j - 1] = held
      held = items[j]; items[j] = items[j - 1]; items[j - 1] = held
    }
}

function joined(open, end, depth, items, n,    comma, edge, last, out, i) {
  comma = gaps == "spaced" ? ", " : gaps == "airy" ? " , " : ","
  edge = gaps == "airy" ? " " : ""
  last = edge
  if (gaps == "pretty") {
    edge = sprintf("\n%*s", depth * 2, "")
    last = sprintf("\n%*s", (depth - 1) * 2, "")
    comma = "," edge
  }
  out = items[1]
  for (i = 2; i <= n; i++) out = out comma items[i]
  return open edge out last end
}

function spelt(raw) {
  if (unicode == "escape" || unicode == "upper") return escaped(plain(raw))
  return unicode == "plain" ? plain(raw) : raw
}

# The string without \uXXXX; other escapes stay.
function plain(raw,    out, rest, high) {
  out = ""
  rest = raw
  while (match(rest, /\\(u[0-9a-fA-F][0-9a-fA-F][0-9a-fA-F][0-9a-fA-F]|[^u])/)) {
    out = out substr(rest, 1, RSTART - 1)
    if (RLENGTH == 2) out = out substr(rest, RSTART, 2)
    else {
      point = number(substr(rest, RSTART + 2, 4))
      if (point >= 55296 && point < 56320) high = point
      else if (point >= 56320 && point < 57344) out = out utf8(65536 + (high - 55296) * 1024 + point - 56320)
      else out = out utf8(point)
    }
    rest = substr(rest, RSTART + RLENGTH)
  }
  return out rest
}

function number(hex,    i, sum) {
  sum = 0
  for (i = 1; i <= length(hex); i++) sum = sum * 16 + worth[tolower(substr(hex, i, 1))]
  return sum
}

function utf8(point) {
  if (point < 128) return sprintf("%c", point)
  if (point < 2048) return sprintf("%c%c", 192 + int(point / 64), 128 + point % 64)
  if (point < 65536) return sprintf("%c%c%c", 224 + int(point / 4096), 128 + int(point / 64) % 64, 128 + point % 64)
  return sprintf("%c%c%c%c", 240 + int(point / 262144), 128 + int(point / 4096) % 64, 128 + int(point / 64) % 64, 128 + point % 64)
}

# The string in ASCII, \uXXXX for the rest, pairs above U+FFFF.
function escaped(raw,    i, out, first, more, point) {
  out = ""
  for (i = 1; i <= length(raw); i++) {
    first = code[substr(raw, i, 1)]
    if (first < 128) { out = out substr(raw, i, 1); continue }
    more = first >= 240 ? 3 : first >= 224 ? 2 : 1
    point = first - (more == 3 ? 240 : more == 2 ? 224 : 192)
    while (more-- > 0) point = point * 64 + code[substr(raw, ++i, 1)] - 128
    out = out (point < 65536 ? unit(point) : unit(55296 + int((point - 65536) / 1024)) unit(56320 + (point - 65536) % 1024))
  }
  return out
}

function unit(point) {
  return sprintf(unicode == "upper" ? "\\u%04X" : "\\u%04x", point)
}
