// SPDX-License-Identifier: MPL-2.0

package connect

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

const (
	keyID     = "AKIDCANARY"
	secretKey = "canary-secret-access-key"
)

// noAWS is an environment in which AWS's chain finds nothing but what a test puts there.
func noAWS(t *testing.T) {
	t.Helper()
	for _, variable := range os.Environ() {
		if name, _, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "AWS_") {
			t.Setenv(name, "")
		}
	}
	dir := t.TempDir()
	t.Setenv("AWS_CONFIG_FILE", filepath.Join(dir, "config"))
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", filepath.Join(dir, "credentials"))
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
}

func keys(t *testing.T) {
	t.Helper()
	noAWS(t)
	t.Setenv("AWS_ACCESS_KEY_ID", keyID)
	t.Setenv("AWS_SECRET_ACCESS_KEY", secretKey)
}

// signed checks a token as Amazon MSK does, with Signature Version 4 computed here, and gives its query. There is no AWS here: that
// MSK takes such a token is known from Amazon's documents only.
func signed(t *testing.T, token, region, secret string) url.Values {
	t.Helper()
	text, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(string(text))
	if err != nil || u.Host != "kafka."+region+".amazonaws.com" || u.Path != "/" {
		t.Fatalf("the token is for %s, %v", u, err)
	}
	query := u.Query()
	got := query.Get("X-Amz-Signature")
	canonical := u.Query()
	canonical.Del("X-Amz-Signature")
	canonical.Del("User-Agent") // added after the signing
	date := query.Get("X-Amz-Date")
	scope := fmt.Sprintf("%s/%s/kafka-cluster/aws4_request", date[:8], region)
	hash := func(s string) string { sum := sha256.Sum256([]byte(s)); return hex.EncodeToString(sum[:]) }
	request := strings.Join([]string{"GET", "/", strings.ReplaceAll(canonical.Encode(), "+", "%20"), "host:" + u.Host + "\n", "host", hash("")}, "\n")
	key := []byte("AWS4" + secret)
	for _, part := range []string{date[:8], region, "kafka-cluster", "aws4_request", strings.Join([]string{"AWS4-HMAC-SHA256", date, scope, hash(request)}, "\n")} {
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(part))
		key = mac.Sum(nil)
	}
	if want := hex.EncodeToString(key); got != want {
		t.Errorf("the signature is %s, want %s", got, want)
	}
	if query.Get("Action") != "kafka-cluster:Connect" || !strings.HasSuffix(query.Get("X-Amz-Credential"), "/"+scope) {
		t.Errorf("the token says %v", query)
	}
	return query
}

func mskToken(t *testing.T, m MSKIAM) (string, error) {
	t.Helper()
	s, err := m.Source(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	token, err := s.Token(t.Context())
	return token.Value, err
}

func TestMSKIAM(t *testing.T) {
	keys(t)
	t.Setenv("AWS_REGION", "eu-north-1")
	for region, m := range map[string]MSKIAM{"eu-north-1": {}, "us-east-1": {Region: "us-east-1"}} {
		token, err := mskToken(t, m)
		if err != nil {
			t.Fatal(err)
		}
		if got := signed(t, token, region, secretKey).Get("X-Amz-Credential"); !strings.HasPrefix(got, keyID+"/") {
			t.Errorf("signed by %s", got)
		}
	}
}

func TestMSKIAMProfile(t *testing.T) {
	noAWS(t)
	write := func(variable, text string) {
		if err := os.WriteFile(os.Getenv(variable), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("AWS_SHARED_CREDENTIALS_FILE", "[other]\naws_access_key_id = AKIDOTHER\naws_secret_access_key = canary-other\n")
	write("AWS_CONFIG_FILE", "[profile other]\nregion = sa-east-1\n")
	token, err := mskToken(t, MSKIAM{Profile: "other"})
	if err != nil {
		t.Fatal(err)
	}
	if got := signed(t, token, "sa-east-1", "canary-other").Get("X-Amz-Credential"); !strings.HasPrefix(got, "AKIDOTHER/") {
		t.Errorf("signed by %s", got)
	}
}

// stubSTS is a stub of Amazon's token service: it gives the keys of a role to whoever asks, and counts.
func stubSTS(t *testing.T) *atomic.Int32 {
	t.Helper()
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if r.FormValue("Action") != "AssumeRole" || r.FormValue("RoleArn") != "arn:aws:iam::123456789012:role/kafka" {
			http.Error(w, "unexpected", http.StatusBadRequest)
			return
		}
		fmt.Fprintf(w, `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials>`+
			`<AccessKeyId>AKIDROLE</AccessKeyId><SecretAccessKey>canary-role</SecretAccessKey><SessionToken>canary-session</SessionToken>`+
			`<Expiration>%s</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`, time.Now().Add(time.Hour).UTC().Format(time.RFC3339))
	}))
	t.Cleanup(server.Close)
	t.Setenv("AWS_ENDPOINT_URL_STS", server.URL)
	return &asked
}

func TestMSKIAMRole(t *testing.T) {
	keys(t)
	asked := stubSTS(t)
	s, err := MSKIAM{Region: "us-east-1", RoleARN: "arn:aws:iam::123456789012:role/kafka"}.Source(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		token, err := s.Token(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		query := signed(t, token.Value, "us-east-1", "canary-role")
		if query.Get("X-Amz-Security-Token") != "canary-session" || !strings.HasPrefix(query.Get("X-Amz-Credential"), "AKIDROLE/") {
			t.Errorf("signed by %v", query)
		}
	}
	if asked.Load() != 1 {
		t.Errorf("the role was assumed %d times", asked.Load())
	}
}

// C-109: a role that only the environment names is never assumed.
func TestMSKIAMAssumesNoRoleByItself(t *testing.T) {
	keys(t)
	asked := stubSTS(t)
	t.Setenv("AWS_ROLE_ARN", "arn:aws:iam::123456789012:role/kafka")
	token, err := mskToken(t, MSKIAM{Region: "us-east-1"})
	if err != nil {
		t.Fatal(err)
	}
	signed(t, token, "us-east-1", secretKey)
	if asked.Load() != 0 {
		t.Error("a role was assumed that nobody asked for")
	}
}

func TestMSKIAMIsMissing(t *testing.T) {
	noAWS(t)
	for setting, m := range map[string]MSKIAM{"region": {}, "profile": {Region: "us-east-1", Profile: "no-such-profile"}} {
		_, err := m.Source(t.Context())
		var failed *SettingError
		if !errors.As(err, &failed) || failed.Setting != setting {
			t.Errorf("%s: %v", setting, err)
		}
	}
	if _, err := mskToken(t, MSKIAM{Region: "us-east-1"}); err == nil || !strings.HasPrefix(err.Error(), "AWS gives no credentials to sign with: ") {
		t.Errorf("no credentials: %v", err)
	}
}
