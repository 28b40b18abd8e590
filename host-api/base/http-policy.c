/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/backoff.h"
#include "base/http-private.h"

/* What an outcome means for the next step. Everything that decides about sending again
 * is here, and nothing here waits or sends. */

/* Not in libsoup 3.2. */
#define STATUS_TOO_MANY_REQUESTS 429
/* Swift's own word for it, of its middleware ratelimit. */
#define STATUS_RATE_LIMITED 498

/* Servers fail now and then, and it costs nobody to look twice. */
#define MAX_SENDS_AFTER_500 2

/* What "at once" is for a server that asks to come again: not a busy loop. */
#define MIN_HOLD_SECONDS 0.2

static WkHttpVerdict
judge_failure (WkHttpRequest       *request,
               const WkHttpOutcome *outcome,
               guint                sends)
{
  WkHttpVerdict verdict = { WK_HTTP_DONE };

  if (sends >= WK_HTTP_MAX_SENDS)
    return verdict;
  if (outcome->failure == WK_HTTP_FAILURE_BEFORE
      || (outcome->failure == WK_HTTP_FAILURE_AFTER && request->is_repeatable))
    verdict.step = WK_HTTP_BACK_OFF;
  return verdict;
}

static WkHttpVerdict
judge_redirect (WkHttpResponse *response)
{
  WkHttpVerdict verdict = { WK_HTTP_DONE };

  /* 300 is how services list their versions. */
  if (wk_http_response_get_status (response) != SOUP_STATUS_NOT_MODIFIED
      && wk_http_response_get_status (response) != SOUP_STATUS_MULTIPLE_CHOICES
      && wk_http_response_get_header (response, "Location") != NULL)
    verdict.step = WK_HTTP_REDIRECT;
  return verdict;
}

/* The server has not looked at the request: it may go out again whatever it is. */
static WkHttpVerdict
judge_too_many (double seconds)
{
  WkHttpVerdict verdict = { WK_HTTP_AGAIN, TRUE, seconds, TRUE };

  if (seconds >= 0.0)
    verdict.hold_seconds = MAX (seconds, MIN_HOLD_SECONDS);
  return verdict;
}

/* Below 0 when the answer does not say when to come again. */
static double
get_hold_seconds (WkHttpResponse *response)
{
  double seconds;

  if (!wk_backoff_parse_after (wk_http_response_get_header (response, "Retry-After"),
                               wk_http_response_get_header (response, "Date"), &seconds))
    return -1.0;
  return seconds;
}

WkHttpVerdict
wk_http_judge (WkHttpRequest       *request,
               const WkHttpOutcome *outcome,
               guint                sends)
{
  WkHttpResponse *response = outcome->response;
  WkHttpVerdict verdict = { WK_HTTP_DONE };
  gboolean may_repeat = request->is_repeatable && sends < WK_HTTP_MAX_SENDS;
  double seconds;

  if (outcome->failure != WK_HTTP_FAILURE_NONE)
    return judge_failure (request, outcome, sends);

  seconds = get_hold_seconds (response);
  switch (wk_http_response_get_status (response))
    {
    case STATUS_TOO_MANY_REQUESTS:
    case STATUS_RATE_LIMITED:
      return judge_too_many (seconds);

    case SOUP_STATUS_FORBIDDEN:
    case SOUP_STATUS_REQUEST_ENTITY_TOO_LARGE:
      /* Without a time to wait it is a quota, which waiting does not help. */
      if (seconds > 0.0)
        return judge_too_many (seconds);
      return verdict;

    case SOUP_STATUS_SERVICE_UNAVAILABLE:
      /* A balancer may have passed it on before. */
      verdict.holds = seconds >= 0.0;
      verdict.hold_seconds = MAX (seconds, MIN_HOLD_SECONDS);
      if (may_repeat)
        verdict.step = verdict.holds ? WK_HTTP_AGAIN : WK_HTTP_BACK_OFF;
      return verdict;

    case SOUP_STATUS_BAD_GATEWAY:
    case SOUP_STATUS_GATEWAY_TIMEOUT:
      if (may_repeat)
        verdict.step = WK_HTTP_BACK_OFF;
      return verdict;

    case SOUP_STATUS_INTERNAL_SERVER_ERROR:
      if (sends < MAX_SENDS_AFTER_500
          && (g_str_equal (request->method, "GET") || g_str_equal (request->method, "HEAD")))
        verdict.step = WK_HTTP_BACK_OFF;
      return verdict;

    default:
      if (SOUP_STATUS_IS_REDIRECTION (wk_http_response_get_status (response)))
        return judge_redirect (response);
      return verdict;
    }
}
