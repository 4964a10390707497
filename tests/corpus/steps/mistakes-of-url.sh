# shellcheck shell=bash
# Mistakes in the url and the method. For each cause: need_… makes an agreement under which it can happen, break_… makes it; $1 is the variant.

need_url_form() {
  with_part url
  agreed[url_form]=$(cycle "$1" path full path full)
}
break_url_form() {
  if [[ ${agreed[url_form]} == full ]]; then told[url_form]=path; else told[url_form]=full; fi
}

need_url_query() {
  with_part url
  agreed[query]=$(cycle "$1" '?lang=en' '?lang=en&ref=a%20b' '' '?app_id=app_abc123&page=2')
}
break_url_query() {
  if [[ -n ${agreed[query]} ]]; then told[query]=''; else told[query]='?'; fi
}

need_url_scheme() {
  with_part url
  agreed[url_form]=full
  agreed[base]=$(cycle "$1" https://platform.example http://localhost:8080 https://pay.harbour.example:8443 https://platform.example)
}
break_url_scheme() {
  if [[ ${agreed[base]} == https:* ]]; then told[scheme]=http; else told[scheme]=https; fi
}

need_url_slash() {
  with_part url
  agreed[path]=${agreed[path]%/}
  [[ $(($1 % 2)) -eq 0 ]] || agreed[path]+=/
  agreed[query]=$(cycle "$1" '' '' '' '?lang=en')
}
break_url_slash() {
  if [[ ${agreed[path]} == */ ]]; then told[path]=${agreed[path]%/}; else told[path]=${agreed[path]}/; fi
}

# The sender signs the address that it calls, and something in between rewrites; the Host header tells which it was.
need_url_host() {
  with_part url
  agreed[url_form]=full
  agreed[base]=https://platform.example
  agreed[host_header]=$(cycle "$1" 10.20.0.7:8080 pierhead.internal platform.example:443 www.platform.example)
}
break_url_host() {
  told[host]=${agreed[host_header]}
}

need_method_case() { with_part request_method; }
break_method_case() {
  told[method]=$(cycle "$1" post Post post)
}

need_method() { with_part request_method; }
break_method() {
  told[method]=$(cycle "$1" GET PUT PATCH GET)
}
