/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

/*
 * The names that metadata go by. Those of images are what publishers and other readers use; those
 * of tools are ours, and the older ones are read as well.
 */

/* Below the base of a source, without the suffix. */
#define WELKIN_METADATA_DIRECTORY "streams/v1/"
#define WELKIN_METADATA_INDEX2 WELKIN_METADATA_DIRECTORY "index2"
#define WELKIN_METADATA_INDEX WELKIN_METADATA_DIRECTORY "index"
#define WELKIN_METADATA_MIRRORS WELKIN_METADATA_DIRECTORY "mirrors"

#define WELKIN_METADATA_PLAIN_SUFFIX ".json"
#define WELKIN_METADATA_SIGNED_SUFFIX ".sjson"

#define WELKIN_METADATA_INDEX_FORMAT "index:1.0"
#define WELKIN_METADATA_PRODUCTS_FORMAT "products:1.0"
#define WELKIN_METADATA_MIRRORS_FORMAT "mirrors:1.0"

#define WELKIN_METADATA_RELEASED "released"

/* Images. */
#define WELKIN_IMAGES_DIRECTORY "images"
#define WELKIN_IMAGES_NAMESPACE "com.ubuntu.cloud"
#define WELKIN_IMAGES_DATATYPE "image-ids"
#define WELKIN_IMAGES_CONTENT_ID WELKIN_IMAGES_NAMESPACE ":custom"
#define WELKIN_IMAGES_CLOUD_NAME "custom"
#define WELKIN_IMAGES_PRODUCTS_PATH \
  WELKIN_METADATA_DIRECTORY WELKIN_IMAGES_NAMESPACE ":released:imagemetadata.json"

/* Tools. */
#define WELKIN_TOOLS_DIRECTORY "tools"
#define WELKIN_TOOLS_NAMESPACE "org.welkin"
#define WELKIN_TOOLS_FORMER_NAMESPACE "com.ubuntu.juju"
#define WELKIN_TOOLS_DATATYPE "content-download"
#define WELKIN_TOOLS_FILE_PREFIX "welkin-"
#define WELKIN_TOOLS_FILE_SUFFIX ".tgz"
